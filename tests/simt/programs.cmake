# The programs of tests/simt/{agreement,opcodes,machine}, as they were built for the recordings of a GPU. Target:
# simt_programs. Compiling many small programs takes the time of the headers that they all include, so those of a
# family, agreement/<family>/, are one program, which runs the one that is named: agreement/<family> <name>.
add_custom_target(simt_programs)

# Sources in one file, joined/<name>.cu of the build folder, each in a namespace of its name; then the text `last`.
function(join_sources name last)
    foreach(source ${ARGN})
        file(STRINGS ${source} lines REGEX "^#include")
        list(APPEND includes ${lines})
        cmake_path(GET source STEM own)
        string(APPEND joined "namespace ${own} {\n#include \"${source}\"\n}\n")
    endforeach()
    list(REMOVE_DUPLICATES includes)
    list(JOIN includes "\n" includes)
    file(CONFIGURE OUTPUT ${CMAKE_CURRENT_BINARY_DIR}/joined/${name}.cu CONTENT "${includes}\n\n${joined}${last}" @ONLY)
    set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${ARGN})  # of their lines of includes
endfunction()

# Of sources, each a program with an `int main()`, one: <path in the build folder's tests/simt> <name>, or --list.
function(add_programs target path)
    foreach(source ${ARGN})
        cmake_path(GET source STEM name)
        string(APPEND cases "    if (argc == 2 && argv[1] == std::string(\"${name}\")) return ${name}::main();\n")
        string(APPEND names "${name}\\n")
    endforeach()
    join_sources(${target} "\nint main(int argc, char** argv) {
${cases}    std::printf(\"${names}\");
    return argc != 2 || argv[1] != std::string(\"--list\");
}
" ${ARGN})
    add_program_for_simt(${target} ${path} ${CMAKE_CURRENT_BINARY_DIR}/joined/${target}.cu)
endfunction()

function(add_program_for_simt target path source)
    cmake_path(GET path PARENT_PATH folder)
    cmake_path(GET path FILENAME name)
    add_executable(${target} EXCLUDE_FROM_ALL ${source})
    set_target_properties(${target} PROPERTIES OUTPUT_NAME ${name} CUDA_ARCHITECTURES 90-real
        RUNTIME_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/tests/simt/${folder})
    target_link_libraries(${target} PRIVATE machine)
    add_dependencies(simt_programs ${target})
endfunction()

foreach(kind opcodes machine)
    file(GLOB sources CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/tests/simt/${kind}/*.cu)
    foreach(source ${sources})
        cmake_path(GET source STEM name)
        add_program_for_simt(${kind}_${name} ${kind}/${name} ${source})
    endforeach()
endforeach()

set(agreement ${CMAKE_SOURCE_DIR}/tests/simt/agreement)
file(GLOB families RELATIVE ${agreement} CONFIGURE_DEPENDS LIST_DIRECTORIES true ${agreement}/*)
foreach(family ${families})
    file(GLOB sources CONFIGURE_DEPENDS ${agreement}/${family}/*.cu)
    if(sources)
        add_programs(agreement_${family} agreement/${family} ${sources})
    endif()
endforeach()

# Some of them unoptimised: -G, or ptxas alone.
foreach(name arithmetic/halves atomics/diverged_atomics blocks/named_barriers functions/function_pointers
        memory/constant_memory memory/struct_copies shared/matmul warps/warp_reductions)
    list(APPEND unoptimised ${agreement}/${name}.cu)
endforeach()
add_programs(unoptimised_debug unoptimised/debug ${unoptimised})
set_target_properties(unoptimised_debug PROPERTIES COMPILE_OPTIONS -G)  # without -lineinfo
add_programs(unoptimised_ptxas unoptimised/ptxas ${unoptimised})
target_compile_options(unoptimised_ptxas PRIVATE "SHELL:-Xptxas -O0")

# The bench of small programs, hazards, as it is timed and unoptimised. Bulk copies need sm_90. Eight files at a time.
file(GLOB sources CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/tests/simt/hazards/*.cu)
set(main ${CMAKE_SOURCE_DIR}/tests/simt/hazards/main.cu)
list(REMOVE_ITEM sources ${main})
while(sources)
    list(SUBLIST sources 0 8 some)
    list(REMOVE_ITEM sources ${some})
    list(GET some 0 first)
    cmake_path(GET first STEM first)
    join_sources(hazards_from_${first} "" ${some})
    list(APPEND hazards ${CMAKE_CURRENT_BINARY_DIR}/joined/hazards_from_${first}.cu)
endwhile()
foreach(target hazards hazards_unoptimised)
    add_executable(${target} EXCLUDE_FROM_ALL ${main} ${hazards})
    target_link_libraries(${target} PRIVATE machine)
    set_target_properties(${target} PROPERTIES CUDA_ARCHITECTURES 90-real
        RUNTIME_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/tests)
    target_compile_options(${target} PRIVATE -Xcompiler=-g1)  # lines of the host's accesses
    add_dependencies(simt_programs ${target})
endforeach()
set_target_properties(hazards_unoptimised PROPERTIES COMPILE_OPTIONS "-G;-Xcompiler=-g1")  # instead of -lineinfo

# What requests cost, without a program.
if(GTest_FOUND)
    add_executable(simt_costs EXCLUDE_FROM_ALL tests/simt/machine/costs.cpp simt/sass/costs.cpp)
    target_link_libraries(simt_costs PRIVATE simt_options GTest::gtest_main)
    add_test_program(simt_costs tests)
    add_test_run(simt/machine/costs simt_costs)
endif()
