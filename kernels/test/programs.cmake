# The tests of kernels, kernels/test/<name>.c*, and of ranks, kernels/test/ranks/<name>.cu: one program per file, run on
# this machine's GPU or on the SIMT machine. A line of the file says what is special:
#
#     // Left to make test-rest: it takes long to compile for what it adds to other tests.
#     // Needs a GPU.      left to it as well, and skipped where there is none
#     // Runs for long.    it begins first, so that no core is left idle at the end
#
# Those that try many types are two programs, see some_types.h: of other types only typed tests run, whose names have
# a /.

# Kernels compile for every architecture that the project supports; for 86 and 90 other tests compile them.
add_library(architectures OBJECT EXCLUDE_FROM_ALL kernels/test/architectures/kernels.cu)
target_link_libraries(architectures PRIVATE machine)
set_target_properties(architectures PROPERTIES CUDA_ARCHITECTURES
    "80-real;89-real;100-real;120-real")
add_dependencies(tests_rest_kernels architectures harness_cub)

set(mpirun ${CMAKE_SOURCE_DIR}/kernels/multi_gpu/mpirun.sh)

# says(<variable> <file> <regular expression>): the line of it that matches, or nothing.
function(says result source line)
    file(STRINGS ${source} found REGEX "${line}" LIMIT_COUNT 1)
    set(${result} "${found}" PARENT_SCOPE)
endfunction()

function(add_program_of_test target source build_with)
    add_program(${target} ${source})
    target_link_libraries(${target} PRIVATE GTest::gtest_main)
    add_test_program(${target} ${build_with})
    if(source MATCHES "lambdas")
        target_compile_options(${target} PRIVATE --extended-lambda)
    endif()
    if(source MATCHES "nccl")
        target_include_directories(${target} SYSTEM PRIVATE ${NCCL_HEADERS})
        target_link_libraries(${target} PRIVATE -Wl,--as-needed ${NCCL})
    endif()
    if(NOT source MATCHES "kernels/test/[^/]*$")
        target_link_libraries(${target} PRIVATE ranks)
    endif()
endfunction()

# Skipped where it needs a GPU and there is none.
function(add_run_of_kernels name label run)
    add_test_run(${name} ${run_test} ${run} ${ARGN})
    set_tests_properties(${name} PROPERTIES SKIP_RETURN_CODE 77 ENVIRONMENT SIMT_DEVICES=2 LABELS "${label}")
endfunction()

# Under mpirun: one to five ranks, which share the devices there are and use one core each.
function(add_runs_of_ranks name label run)
    foreach(ranks RANGE 1 5)
        add_test_run(${name}/${ranks} ${mpirun} -np ${ranks} ${run_test} ${run} ${ARGN})
        set_tests_properties(${name}/${ranks} PROPERTIES ENVIRONMENT SIMT_CORES=1 TIMEOUT 60 LABELS "${label}")
    endforeach()
endfunction()

# By NCCL: one rank per GPU.
function(add_run_by_nccl name label _gpu program)
    add_test_run(${name} bash -c "nvidia-smi -L > /dev/null || exit 77; \
        exec \$0 -np $(nvidia-smi -L | wc -l) $1" ${mpirun} ${program})
    set_tests_properties(${name} PROPERTIES SKIP_RETURN_CODE 77 LABELS "${label}")
endfunction()

# A source file's program and its runs, which `add_run` adds: one of add_run_of_kernels, ...
function(add_test_of room source add_run)
    cmake_path(GET source STEM name)
    set(target test_${room}_${name})
    set(name ${room}/${name})
    set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${source})
    says(rest ${source} "^// Left to make test-rest")
    says(needs_gpu ${source} "^// Needs a GPU")
    says(long ${source} "^// Runs for long")
    says(typed ${source} "^TYPED_TEST_SUITE")
    says(many_types ${source} "SomeThenOthers|EveryElement|DrawnElements")
    if(rest OR needs_gpu)
        set(build_with tests_rest_kernels)
        set(label full)
    else()
        set(build_with tests)
    endif()
    if(needs_gpu)
        set(gpu --gpu)
    endif()
    add_program_of_test(${target} ${source} ${build_with})
    cmake_language(CALL ${add_run} ${name} "${label}" ${gpu} $<TARGET_FILE:${target}>)
    if(long)
        set_tests_properties(${name} PROPERTIES COST 10)
    endif()
    if(typed AND many_types AND NOT needs_gpu)
        target_compile_definitions(${target} PRIVATE TEST_SOME_TYPES)
        add_program_of_test(${target}_others ${source} tests_rest_kernels)
        target_compile_definitions(${target}_others PRIVATE TEST_OTHER_TYPES)
        cmake_language(CALL ${add_run} ${name}/others full ${gpu} $<TARGET_FILE:${target}_others> --gtest_filter=*/*)
    endif()
endfunction()

file(GLOB tests_of_kernels CONFIGURE_DEPENDS kernels/test/*.cu kernels/test/*.cpp)
file(GLOB tests_of_ranks CONFIGURE_DEPENDS kernels/test/ranks/*.cu)
file(GLOB programs_of_ranks CONFIGURE_DEPENDS experiments/test/*.cu)  # which test_ranks.py runs
if(NOT NCCL)
    list(FILTER tests_of_kernels EXCLUDE REGEX "nccl[.]cu$")
    list(FILTER tests_of_ranks EXCLUDE REGEX "nccl[.]cu$")
    list(FILTER programs_of_ranks EXCLUDE REGEX "nccl_scans[.]cu$")
endif()
if(GTest_FOUND)
    foreach(source ${tests_of_kernels})
        add_test_of(kernels ${source} add_run_of_kernels)
    endforeach()
endif()
# Calls of the fast scan in the code of other architectures, which the SIMT machine runs: to sm_89 by look-back.
if(GTest_FOUND)
    set(target test_kernels_other_architectures)
    add_executable(${target} EXCLUDE_FROM_ALL kernels/test/scan_calls.cu)
    set_target_properties(${target} PROPERTIES CUDA_ARCHITECTURES "86-real;120-real")
    target_compile_definitions(${target} PRIVATE TEST_SOME_TYPES)
    target_link_libraries(${target} PRIVATE machine GTest::gtest_main)
    add_test_program(${target} tests_rest_kernels)
    foreach(number 86 120)
        add_test_run(kernels/scan_calls/sm_${number} ${build}/simt-run --arch ${number} $<TARGET_FILE:${target}>)
        set_tests_properties(kernels/scan_calls/sm_${number} PROPERTIES
            ENVIRONMENT "SIMT_DEVICES=2;SIMT_CHECKS=1" LABELS full)
    endforeach()
endif()
if(GTest_FOUND AND MPI_CXX_FOUND)
    foreach(source ${tests_of_ranks})
        if(source MATCHES "nccl")
            add_test_of(ranks ${source} add_run_by_nccl)
        else()
            add_test_of(ranks ${source} add_runs_of_ranks)
        endif()
    endforeach()
    foreach(source ${programs_of_ranks})
        cmake_path(GET source STEM name)
        says(rest ${source} "^// (Left to make test-rest|Needs a GPU)")
        if(rest)
            add_program_of_test(test_runs_${name} ${source} tests_rest_claims)
        else()
            add_program_of_test(test_runs_${name} ${source} tests)
        endif()
    endforeach()
elseif(GTest_FOUND)
    add_test(NAME ranks COMMAND ${CMAKE_COMMAND} -E echo
        "skipped: no MPI: apt-get install libopenmpi-dev openmpi-bin")
    set_tests_properties(ranks PROPERTIES SKIP_REGULAR_EXPRESSION "^skipped: ")
endif()
