# Run as cmake -DNM=… -DOBJECTS=…|… -P: fails where the object file of an instruction set defines code that others may
# define too. Of such the linker keeps one, and one compiled for AVX-512 would run on every processor.
string(REPLACE "|" ";" objects "${OBJECTS}")
list(FILTER objects INCLUDE REGEX "/(avx512bf16|avx512|avx2|sse41|neon)\\.cpp")
if(NOT objects)
    message(FATAL_ERROR "There is no object file of an instruction set among ${OBJECTS}")
endif()
foreach(object IN LISTS objects)
    execute_process(COMMAND ${NM} --defined-only --demangle ${object} OUTPUT_VARIABLE symbols COMMAND_ERROR_IS_FATAL ANY)
    string(REGEX MATCHALL "[0-9a-f]+ [WVu] [^\n]+" shared "${symbols}")
    list(FILTER shared EXCLUDE REGEX "DW\\.ref\\.__gxx_personality_v0")  # an address, the same everywhere
    if(shared)
        message(SEND_ERROR "${object} defines what other files may define, too: ${shared}")
    endif()
endforeach()
