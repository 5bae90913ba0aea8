#include "simt/texture/texture.h"

#include <mutex>

namespace sass {

std::string Texture::text() const {
    const std::string kind = memory == Memory::linear ? "linear" : std::to_string(dimensions()) + "-D";
    std::string said = std::string("a ") + (is_cubemap ? "cubemap" : kind) + (is_layered ? " layered" : "") +
                       (is_surface ? " surface of " : " texture of ") + std::to_string(width);
    for (const unsigned extent : {height, depth})
        if (extent != 0) said += " x " + std::to_string(extent);
    return said;
}

Textures& Textures::get() {
    static Textures& all = *new Textures();
    return all;
}

std::uint64_t Textures::add(const Texture& texture) {
    const std::unique_lock lock(mutex_);
    all_.push_back(std::make_unique<Texture>(texture));
    return all_.size();
}

void Textures::destroy(std::uint64_t handle) {
    const std::unique_lock lock(mutex_);
    if (handle != 0 && handle <= all_.size()) all_[handle - 1]->is_destroyed = true;
}

const Texture* Textures::find(std::uint64_t handle) const {
    const std::shared_lock lock(mutex_);
    return handle == 0 || handle > all_.size() ? nullptr : all_[handle - 1].get();
}

}  // namespace sass
