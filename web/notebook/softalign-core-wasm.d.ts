// The core's bytes, put into the bundle by the build.
declare module 'softalign-core.wasm' {
  const bytes: Uint8Array<ArrayBuffer>;
  export default bytes;
}
