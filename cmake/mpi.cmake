# The library through which several processes take part in one run, which the program opens when mpirun or srun has started
# it (src/engine/ranks/plugin.h): built where there is MPI. Without it everything else is the same.
set(AREIA_MPI AUTO CACHE STRING "Build the library of MPI: ON, OFF, or AUTO, where there is MPI")
set_property(CACHE AREIA_MPI PROPERTY STRINGS AUTO ON OFF)
if(NOT AREIA_MPI OR AREIA_FUZZ)
  message(STATUS "ranks are left out: MPI is not asked for")
  return()
endif()
if(AREIA_MPI STREQUAL "AUTO")
  # Programs that run MPI may be there without what compiles it, and then find_package stops the build.
  find_program(AREIA_MPICC mpicc)
  if(AREIA_MPICC)
    execute_process(COMMAND ${AREIA_MPICC} -E -include mpi.h -x c /dev/null RESULT_VARIABLE areia_no_mpi
      OUTPUT_QUIET ERROR_QUIET)
  endif()
  if(NOT AREIA_MPICC OR areia_no_mpi)
    message(STATUS "ranks are left out: there is no MPI")
    return()
  endif()
endif()
find_package(MPI REQUIRED COMPONENTS C)

file(READ ${PROJECT_SOURCE_DIR}/src/engine/ranks/plugin.h areia_interface)
string(REGEX MATCH "kLinkInterface = ([0-9]+)" areia_interface "${areia_interface}")
add_library(areia_mpi MODULE src/engine/ranks/mpi_library.cpp)
set_target_properties(areia_mpi PROPERTIES LIBRARY_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR})
target_include_directories(areia_mpi PRIVATE src include)
target_compile_definitions(areia_mpi PRIVATE AREIA_MPI_VERSION="${PROJECT_VERSION} ${CMAKE_MATCH_1}"
  OMPI_SKIP_MPICXX MPICH_SKIP_MPICXX)
target_link_libraries(areia_mpi PRIVATE areia_flags MPI::MPI_C)
install(TARGETS areia_mpi LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR}/areia)
