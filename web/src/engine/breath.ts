/** A turn of the event loop, after which input and messages have been handled and a frame may have been painted. */
export function breath(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve));
}
