/** Registers an element unless the page has it already, so that loading the module twice is harmless. */
export function define(name: string, element: CustomElementConstructor): void {
  if (!customElements.get(name)) customElements.define(name, element);
}
