// A real trap in the engine, when a test asks for it.

/**
 * Runs before the script that starts the engine. Where `globalThis.trapNext` is set, the engine traps in the middle of its
 * next call. `globalThis.callsAfterTrap` counts how often one that had trapped was called again.
 */
export const trapOnDemand = `{
  // A module with one function: unreachable.
  const bytes = [0, 97, 115, 109, 1, 0, 0, 0, 1, 4, 1, 96, 0, 0, 3, 2, 1, 0, 7, 5, 1, 1, 116, 0, 0, 10, 5, 1, 3, 0, 0, 11];
  const { t: trap } = new WebAssembly.Instance(new WebAssembly.Module(new Uint8Array(bytes))).exports;
  const { instantiate } = WebAssembly;
  globalThis.callsAfterTrap = 0;
  WebAssembly.instantiate = (module, imports, ...rest) => {
    let trapped = false;
    const watch = (imported) => (...parameters) => {
      if (trapped) globalThis.callsAfterTrap++;
      if (globalThis.trapNext) {
        globalThis.trapNext = false;
        trapped = true;
        trap();
      }
      return imported(...parameters);
    };
    for (const names of Object.values(imports))
      for (const [name, imported] of Object.entries(names))
        if (typeof imported === 'function') names[name] = watch(imported);
    return instantiate(module, imports, ...rest);
  };
}
`;
