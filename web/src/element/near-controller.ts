import type { ReactiveController, ReactiveControllerHost } from 'lit';

/** How far outside the window an element counts as near, so that its model has arrived when the reader gets there. */
const margin = '50%';

/** Whether the host has ever been in the window, or near it. */
export class NearController implements ReactiveController {
  near = false;

  private readonly observer = new IntersectionObserver(
    (entries) => {
      if (!entries.some(({ isIntersecting }) => isIntersecting)) return;
      this.near = true;
      this.observer.disconnect();
      this.came();
    },
    { rootMargin: margin },
  );

  constructor(
    private readonly host: ReactiveControllerHost & Element,
    /** Called when it comes near for the first time. */
    private readonly came: () => void,
  ) {
    host.addController(this);
  }

  hostConnected(): void {
    if (!this.near) this.observer.observe(this.host);
  }

  hostDisconnected(): void {
    this.observer.disconnect();
  }
}
