# Finds Emscripten's own toolchain file, from an emsdk ($EMSDK), from emcc on the PATH, or from Debian's package.
find_program(EMCC emcc HINTS $ENV{EMSDK}/upstream/emscripten REQUIRED)
file(REAL_PATH ${EMCC} emcc_path)
get_filename_component(emcc_folder ${emcc_path} DIRECTORY)
find_file(EMSCRIPTEN_TOOLCHAIN Emscripten.cmake
          PATHS ${emcc_folder}/cmake/Modules/Platform /usr/share/emscripten/cmake/Modules/Platform
          NO_DEFAULT_PATH REQUIRED)
include(${EMSCRIPTEN_TOOLCHAIN})
