# The programs of tests/simt/{agreement,opcodes,machine}, as they were built for the recordings of a GPU: into
# tests/simt/<kind>/<name> of the build folder. Target: simt_programs.
add_custom_target(simt_programs)
foreach(kind agreement opcodes machine)
    file(GLOB sources CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/tests/simt/${kind}/*.cu)
    foreach(source ${sources})
        cmake_path(GET source STEM name)
        add_executable(${kind}_${name} EXCLUDE_FROM_ALL ${source})
        set_target_properties(${kind}_${name} PROPERTIES OUTPUT_NAME ${name} CUDA_ARCHITECTURES 90-real
            RUNTIME_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/tests/simt/${kind})
        target_link_libraries(${kind}_${name} PRIVATE machine)
        add_dependencies(simt_programs ${kind}_${name})
    endforeach()
endforeach()

# Some of them unoptimised: -G, or ptxas alone.
foreach(name constant_memory diverged_atomics function_pointers halves matmul named_barriers struct_copies warp_reductions)
    foreach(mode debug ptxas)
        set(target unoptimised_${name}_${mode})
        add_executable(${target} EXCLUDE_FROM_ALL ${CMAKE_SOURCE_DIR}/tests/simt/agreement/${name}.cu)
        set_target_properties(${target} PROPERTIES OUTPUT_NAME ${name}_${mode} CUDA_ARCHITECTURES 90-real
            RUNTIME_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/tests/simt/unoptimised)
        target_link_libraries(${target} PRIVATE machine)
        add_dependencies(simt_programs ${target})
    endforeach()
    set_target_properties(unoptimised_${name}_debug PROPERTIES COMPILE_OPTIONS -G)  # without -lineinfo
    target_compile_options(unoptimised_${name}_ptxas PRIVATE "SHELL:-Xptxas -O0")
endforeach()

# What requests cost, without a program.
if(GTest_FOUND)
    add_executable(simt_costs EXCLUDE_FROM_ALL tests/simt/machine/costs.cpp simt/sass/costs.cpp)
    target_link_libraries(simt_costs PRIVATE simt_options GTest::gtest_main)
    add_test_program(simt_costs tests)
    add_test_run(simt/machine/costs simt_costs)
endif()
