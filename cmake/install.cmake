# What `cmake --install` puts where. The program is complete by itself; other programs link the shared library, which
# carries its own dependencies, so that they need a C++20 compiler and nothing else:
#   find_package(areia REQUIRED)
#   target_link_libraries(mine PRIVATE areia::areia)
if(AREIA_SANITIZE)
  return()
endif()
include(CMakePackageConfigHelpers)

add_library(areia_shared SHARED $<TARGET_OBJECTS:areia>)
set_target_properties(areia_shared PROPERTIES OUTPUT_NAME areia EXPORT_NAME areia LINKER_LANGUAGE CXX
  VERSION ${PROJECT_VERSION} SOVERSION ${PROJECT_VERSION_MAJOR}.${PROJECT_VERSION_MINOR})
target_include_directories(areia_shared INTERFACE $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>)
target_compile_features(areia_shared INTERFACE cxx_std_20)
target_link_libraries(areia_shared PRIVATE $<BUILD_INTERFACE:areia_flags> $<BUILD_INTERFACE:${areia_dependencies}>)
target_link_options(areia_shared PRIVATE -Wl,--no-undefined)

install(TARGETS areia_shared EXPORT areiaTargets LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR})
install(DIRECTORY include/areia DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} FILES_MATCHING PATTERN "*.h")
install(EXPORT areiaTargets NAMESPACE areia:: DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/areia)
configure_package_config_file(cmake/areiaConfig.cmake.in ${PROJECT_BINARY_DIR}/areiaConfig.cmake
  INSTALL_DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/areia)
write_basic_package_version_file(${PROJECT_BINARY_DIR}/areiaConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/areiaConfig.cmake ${PROJECT_BINARY_DIR}/areiaConfigVersion.cmake
  DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/areia)

install(TARGETS areia_cli RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
install(DIRECTORY examples/ DESTINATION ${CMAKE_INSTALL_DATADIR}/areia/examples
  PATTERN "*.out" EXCLUDE PATTERN "__pycache__" EXCLUDE)
install(FILES README.md CHANGELOG.md LICENSE debian/copyright DESTINATION ${CMAKE_INSTALL_DOCDIR})
if(EXISTS ${PROJECT_SOURCE_DIR}/docs)
  install(DIRECTORY docs/ DESTINATION ${CMAKE_INSTALL_DOCDIR})
endif()
