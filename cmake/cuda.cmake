# The library of the cuda engine, which the program opens while it runs (src/engine/cuda/plugin.h): built where there is
# nvcc 12 or newer. Without it everything else is the same, and `areia info` says so. The host runs the same kernels in
# tests.
option(AREIA_CUDA "Build the library of the cuda engine where there is nvcc" ON)
set(AREIA_CUDA_ARCHITECTURES "90" CACHE STRING
  "Compute capabilities that get machine code; others from 8.0 on compile theirs when they first run")
find_program(AREIA_NVCC nvcc HINTS /usr/local/cuda/bin)
if(NOT AREIA_CUDA OR NOT AREIA_NVCC OR AREIA_SANITIZE OR AREIA_FUZZ)
  message(STATUS "the cuda engine is left out: there is no nvcc, or it is not asked for")
  return()
endif()
execute_process(COMMAND ${AREIA_NVCC} --version OUTPUT_VARIABLE areia_nvcc_version ERROR_QUIET)
if(NOT areia_nvcc_version MATCHES "release ([0-9]+)" OR CMAKE_MATCH_1 LESS 12)
  message(STATUS "the cuda engine is left out: nvcc must be 12 or newer")
  return()
endif()

set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS src/engine/cuda/plugin.h)  # the number stands there
file(READ ${PROJECT_SOURCE_DIR}/src/engine/cuda/plugin.h areia_interface)
string(REGEX MATCH "kDeviceInterface = ([0-9]+)" areia_interface "${areia_interface}")
set(areia_interface ${CMAKE_MATCH_1})
set(areia_code -gencode arch=compute_80,code=compute_80)
foreach(capability ${AREIA_CUDA_ARCHITECTURES})
  list(APPEND areia_code -gencode arch=compute_${capability},code=sm_${capability})
endforeach()
# The bits of the host: no contraction, neither there nor here; division and root are IEEE by default. Much of it has the
# names of functions of the program, which may have been compiled otherwise: the library calls its own.
add_custom_command(OUTPUT ${PROJECT_BINARY_DIR}/libareia_cuda.so
  COMMAND ${AREIA_NVCC} -std=c++20 --expt-relaxed-constexpr -fmad=false -O3 ${areia_code}
    "-DAREIA_CUDA_VERSION=\"${PROJECT_VERSION} ${areia_interface}\"" -I${PROJECT_SOURCE_DIR}/src
    -I${PROJECT_SOURCE_DIR}/include -Xcompiler -fPIC,-ffp-contract=off -Xlinker -Bsymbolic -shared -MD -MF
    ${PROJECT_BINARY_DIR}/libareia_cuda.d -o ${PROJECT_BINARY_DIR}/libareia_cuda.so
    ${PROJECT_SOURCE_DIR}/src/engine/cuda/device_library.cu
  DEPENDS ${PROJECT_SOURCE_DIR}/src/engine/cuda/device_library.cu
  DEPFILE ${PROJECT_BINARY_DIR}/libareia_cuda.d
  COMMENT "Building the library of the cuda engine" VERBATIM)
add_custom_target(areia_cuda ALL DEPENDS ${PROJECT_BINARY_DIR}/libareia_cuda.so)
install(FILES ${PROJECT_BINARY_DIR}/libareia_cuda.so DESTINATION ${CMAKE_INSTALL_LIBDIR}/areia)
