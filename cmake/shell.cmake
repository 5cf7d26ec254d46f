# Manual pages and completion for shells, which the program makes of its own commands, and what desktops want to know.
# Left out where the program that was built does not run here.
if(CMAKE_CROSSCOMPILING OR AREIA_SANITIZE OR NOT TARGET areia_cli)
  return()
endif()
set(areia_shell ${PROJECT_BINARY_DIR}/generated/shell)
add_custom_command(OUTPUT ${areia_shell}/made DEPENDS areia_cli
  COMMAND ${CMAKE_COMMAND} -E rm -rf ${areia_shell}
  COMMAND ${CMAKE_COMMAND} -E make_directory ${areia_shell}
  COMMAND areia_cli man --out ${areia_shell}/man
  COMMAND areia_cli completion bash > ${areia_shell}/areia
  COMMAND areia_cli completion zsh > ${areia_shell}/_areia
  COMMAND areia_cli completion fish > ${areia_shell}/areia.fish
  COMMAND ${CMAKE_COMMAND} -E touch ${areia_shell}/made
  COMMENT "Manual pages and completion" VERBATIM)
add_custom_target(areia_shell ALL DEPENDS ${areia_shell}/made)

set(AREIA_ZSH_DIR share/zsh/site-functions CACHE STRING "Where the completion for zsh is installed, below the prefix")
install(DIRECTORY ${areia_shell}/man/ DESTINATION ${CMAKE_INSTALL_MANDIR}/man1 FILES_MATCHING PATTERN "*.1")
install(FILES ${areia_shell}/areia DESTINATION share/bash-completion/completions)
install(FILES ${areia_shell}/_areia DESTINATION ${AREIA_ZSH_DIR})
install(FILES ${areia_shell}/areia.fish DESTINATION share/fish/vendor_completions.d)
if(AREIA_HAS_STUDIO)
  install(FILES packaging/areia-studio.desktop DESTINATION share/applications)
  install(FILES packaging/areia.svg DESTINATION share/icons/hicolor/scalable/apps)
  install(FILES packaging/areia.metainfo.xml DESTINATION share/metainfo)
endif()
