# The programs of simt/test/{agreement,opcodes,machine}, as they were built for the recordings of a GPU. Target:
# simt_programs. Compiling many small programs takes the time of the headers that they all include, so those of a
# family, agreement/<family>/, are one program, which runs the one that is named: agreement/<family> <name>.
# local_arrays stands alone: of it in a namespace, or beside others, nvcc 13.0 makes now one code and now another.
add_custom_target(simt_programs)

# Sources in one file, joined/<name>.cu of the build folder, each in a namespace of its name; then the text `last`.
function(join_sources name last)
    set(includes)
    set(text)
    foreach(source ${ARGN})
        file(STRINGS ${source} lines REGEX "^#include")
        list(APPEND includes ${lines})
        cmake_path(GET source STEM own)
        string(APPEND text "namespace ${own} {\n#include \"${source}\"\n}\n")
    endforeach()
    list(REMOVE_DUPLICATES includes)
    list(JOIN includes "\n" includes)
    file(CONFIGURE OUTPUT ${CMAKE_CURRENT_BINARY_DIR}/joined/${name}.cu CONTENT "${includes}\n\n${text}${last}" @ONLY)
    set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${ARGN})  # of their lines of includes
endfunction()

# Built with a target. Of sources, each a program with an `int main()`, one: <path in the build folder's simt/test> <name>, or --list.
function(add_programs target path build_with)
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
    add_program_for_simt(${target} ${path} ${CMAKE_CURRENT_BINARY_DIR}/joined/${target}.cu ${build_with})
endfunction()

function(add_program_for_simt target path source build_with)
    cmake_path(GET path PARENT_PATH folder)
    cmake_path(GET path FILENAME name)
    add_executable(${target} EXCLUDE_FROM_ALL ${source})
    set_target_properties(${target} PROPERTIES OUTPUT_NAME ${name} CUDA_ARCHITECTURES 90-real
        RUNTIME_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/tests/simt/${folder})
    target_link_libraries(${target} PRIVATE machine)
    add_dependencies(${build_with} ${target})
endfunction()

# make test runs some families of opcodes, see SOME of test_opcodes.py.
set(some_opcodes control warps)
set(longest_of_machine barrier_copies block_barriers twelve_bytes)
file(GLOB sources_of_opcodes CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/simt/test/opcodes/*.cu)
foreach(kind opcodes machine agreement)
    file(GLOB sources CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/simt/test/${kind}/*.cu)
    foreach(source ${sources})
        cmake_path(GET source STEM name)
        if((kind STREQUAL "opcodes" AND NOT name IN_LIST some_opcodes) OR name IN_LIST longest_of_machine)
            add_program_for_simt(${kind}_${name} ${kind}/${name} ${source} tests_rest_simt)
        else()
            add_program_for_simt(${kind}_${name} ${kind}/${name} ${source} simt_programs)
        endif()
    endforeach()
endforeach()

set_target_properties(machine_barrier_copies machine_block_barriers machine_twelve_bytes PROPERTIES CUDA_ARCHITECTURES
    "75-real;86-real;90-real;120-real")
# Kernels that ask the device's runtime.
find_library(DEVICE_RUNTIME cudadevrt HINTS ${CUDAToolkit_LIBRARY_DIR} REQUIRED)
foreach(target machine_runtime_from_kernels machine_runtime_conditional)
    set_target_properties(${target} PROPERTIES CUDA_SEPARABLE_COMPILATION ON)
    target_link_libraries(${target} PRIVATE ${DEVICE_RUNTIME})
endforeach()
set_target_properties(machine_warpgroup PROPERTIES CUDA_ARCHITECTURES 90a-real)  # wgmma
set_target_properties(machine_mbarriers_again machine_operators PROPERTIES CUDA_ARCHITECTURES "90-real;120-real")
foreach(source ${sources_of_opcodes})
    cmake_path(GET source STEM name)
    add_program_for_simt(architectures_opcodes_${name} architectures/opcodes/${name} ${source} tests_rest_simt)
    set_target_properties(architectures_opcodes_${name} PROPERTIES CUDA_ARCHITECTURES
        "75-real;86-real;100-real;120-real")
endforeach()
set_target_properties(architectures_opcodes_clusters PROPERTIES CUDA_ARCHITECTURES "100-real;120-real")
foreach(name control halves warps integer_matrices)  # which call functions of CUDA that sm_75 lacks, or need sm_80
    set_target_properties(architectures_opcodes_${name} PROPERTIES CUDA_ARCHITECTURES "86-real;100-real;120-real")
endforeach()
set_target_properties(architectures_opcodes_byte_floats PROPERTIES CUDA_ARCHITECTURES "100-real")  # others: QMMA

foreach(name micro turns)
    add_program_for_simt(clock_${name} clock/${name} ${CMAKE_SOURCE_DIR}/simt/clock/test/${name}.cu simt_programs)
endforeach()

set(agreement ${CMAKE_SOURCE_DIR}/simt/test/agreement)
file(GLOB families RELATIVE ${agreement} CONFIGURE_DEPENDS LIST_DIRECTORIES true ${agreement}/*)
foreach(family ${families})
    file(GLOB sources CONFIGURE_DEPENDS ${agreement}/${family}/*.cu)
    if(sources)
        add_programs(agreement_${family} agreement/${family} simt_programs ${sources})
    endif()
endforeach()

# The same for the machine's other architectures, architectures/<family>: what nvcc compiles for all of them; what
# needs sm_80, `from_80`; and what needs sm_90, `from_100`. `some`, of make test.
set(from_80 arithmetic/halves blocks/block_reduction copies/async_copies tensor/wmma_types warps/warp_reductions)
set(from_90 copies/bulk_copies_polls copies/mbarriers_polls tensor/store_matrix)
file(GLOB of_clusters RELATIVE ${agreement} CONFIGURE_DEPENDS ${agreement}/clusters/*.cu)
list(TRANSFORM of_clusters REPLACE "[.]cu$" "")
list(APPEND from_90 ${of_clusters})
function(add_for_others name architectures build_with)
    list(TRANSFORM ARGN PREPEND ${agreement}/)
    list(TRANSFORM ARGN APPEND .cu)
    add_programs(architectures_${name} architectures/${name} ${build_with} ${ARGN})
    set_target_properties(architectures_${name} PROPERTIES CUDA_ARCHITECTURES "${architectures}")
endfunction()
set(others 75-real 80-real 86-real 89-real 100-real 120-real)
foreach(family ${families})
    file(GLOB sources RELATIVE ${agreement} ${agreement}/${family}/*.cu)
    list(TRANSFORM sources REPLACE "[.]cu$" "")
    list(REMOVE_ITEM sources ${from_80} ${from_90})
    if(sources)
        add_for_others(${family} "${others}" tests_rest_simt ${sources})
    endif()
endforeach()
add_for_others(from_80 "80-real;86-real;89-real;100-real;120-real" tests_rest_simt ${from_80})
add_for_others(alone "${others}" tests_rest_simt local_arrays)
add_for_others(from_100 "100-real;120-real" tests_rest_simt ${from_90})
add_for_others(some "75-real;86-real;120-real" simt_programs
    arithmetic/integers_64 atomics/shared_atomics branches/switch_dense)
add_for_others(unoptimised "75-real;86-real;120-real" tests_rest_simt
    functions/function_pointers warps/shuffles_diverged warps/votes_and_matches)
set_target_properties(architectures_unoptimised PROPERTIES COMPILE_OPTIONS -G)

# Some of them unoptimised: -G, or ptxas alone.
foreach(name arithmetic/halves atomics/diverged_atomics blocks/named_barriers functions/function_pointers
        memory/constant_memory memory/struct_copies shared/matmul warps/warp_reductions)
    list(APPEND unoptimised ${agreement}/${name}.cu)
endforeach()
add_programs(unoptimised_debug unoptimised/debug simt_programs ${unoptimised})
set_target_properties(unoptimised_debug PROPERTIES COMPILE_OPTIONS -G)  # without -lineinfo
add_programs(unoptimised_ptxas unoptimised/ptxas simt_programs ${unoptimised})
target_compile_options(unoptimised_ptxas PRIVATE "SHELL:-Xptxas -O0")

# The bench of small programs, hazards, as it is timed and unoptimised, eight files at a time. Bulk copies need sm_90.
# Of hazards_some: a sixth of it, for make test.
function(add_bench name)
    while(ARGN)
        list(SUBLIST ARGN 0 8 some)
        list(REMOVE_ITEM ARGN ${some})
        list(GET some 0 first)
        cmake_path(GET first STEM first)
        join_sources(${name}_from_${first} "" ${some})
        list(APPEND joined ${CMAKE_CURRENT_BINARY_DIR}/joined/${name}_from_${first}.cu)
    endwhile()
    foreach(target ${name} ${name}_unoptimised)
        add_executable(${target} EXCLUDE_FROM_ALL ${bench}/main.cu ${joined})
        target_link_libraries(${target} PRIVATE machine)
        set_target_properties(${target} PROPERTIES CUDA_ARCHITECTURES 90-real
            RUNTIME_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/tests)
        target_compile_options(${target} PRIVATE -Xcompiler=-g1)  # lines of the host's accesses
    endforeach()
    set_target_properties(${name}_unoptimised PROPERTIES COMPILE_OPTIONS "-G;-Xcompiler=-g1")  # without -lineinfo
endfunction()
set(bench ${CMAKE_SOURCE_DIR}/simt/test/hazards)
file(GLOB sources CONFIGURE_DEPENDS ${bench}/*.cu)
list(REMOVE_ITEM sources ${bench}/main.cu ${bench}/from_kernels.cu)
add_bench(hazards ${sources})
foreach(target hazards hazards_unoptimised)  # code of its own, with the device's runtime
    add_library(${target}_from_kernels STATIC EXCLUDE_FROM_ALL ${bench}/from_kernels.cu)
    set_target_properties(${target}_from_kernels PROPERTIES CUDA_ARCHITECTURES 90-real
        CUDA_SEPARABLE_COMPILATION ON CUDA_RESOLVE_DEVICE_SYMBOLS ON)
    target_link_libraries(${target}_from_kernels PRIVATE machine)
    target_compile_options(${target}_from_kernels PRIVATE -Xcompiler=-g1)
    target_link_libraries(${target} PRIVATE -Wl,--whole-archive ${target}_from_kernels -Wl,--no-whole-archive
        ${DEVICE_RUNTIME})
endforeach()
set_target_properties(hazards_unoptimised_from_kernels PROPERTIES COMPILE_OPTIONS "-G;-Xcompiler=-g1")
list(FILTER sources INCLUDE REGEX "/(barriers|copies|flags|last_block|locks|schedules)[.]cu$")
add_bench(hazards_some ${sources})

# The museum, an exhibit a file, in the same form; and a part of it for make test.
file(GLOB sources CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/simt/test/museum/*.cu)
add_bench(museum ${sources})
list(FILTER sources INCLUDE REGEX "/(apex_layer_norm|fuser_async_copy|raft_select_k|tileops_engram|trtllm_flag)[.]cu$")
add_bench(museum_some ${sources})
# ptxas has advice for copies to several blocks of a cluster, on later GPUs.
foreach(target opcodes_clusters agreement_clusters architectures_opcodes_clusters architectures_from_100 hazards
        hazards_unoptimised)
    set_property(TARGET ${target} APPEND PROPERTY COMPILE_OPTIONS -Xptxas=-w)
endforeach()
# The machine reads their host's lines in their sources, at the place where these were compiled: what the cache has
# of another copy of this folder will not do.
if(CCACHE)
    set_target_properties(hazards hazards_unoptimised hazards_some hazards_some_unoptimised hazards_from_kernels
        hazards_unoptimised_from_kernels museum museum_unoptimised museum_some museum_some_unoptimised PROPERTIES
        CUDA_COMPILER_LAUNCHER "${CMAKE_COMMAND};-E;env;CCACHE_NAMESPACE=${CMAKE_SOURCE_DIR};${CCACHE}")
endif()
add_dependencies(simt_programs hazards_some hazards_some_unoptimised museum_some museum_some_unoptimised)
add_dependencies(tests_rest_simt hazards hazards_unoptimised museum museum_unoptimised)

# What requests cost, without a program.
if(GTest_FOUND)
    add_executable(simt_costs EXCLUDE_FROM_ALL simt/test/machine/costs.cpp simt/count/costs.cpp)
    target_link_libraries(simt_costs PRIVATE simt_options GTest::gtest_main)
    add_test_program(simt_costs tests)
    add_test_run(simt/machine/costs simt_costs)
endif()
