import type { ReactiveController, ReactiveControllerHost } from 'lit';

type Host = ReactiveControllerHost & HTMLElement & { readonly openable: boolean };

/** Opens a model file that is dropped onto the host, if that is allowed. */
export class DropController implements ReactiveController {
  /** Whether a file is held above the host. */
  hovered = false;

  constructor(
    private readonly host: Host,
    private readonly dropped: (file: File) => void,
  ) {
    host.addController(this);
  }

  hostConnected(): void {
    for (const type of ['dragover', 'dragleave', 'drop'] as const) this.host.addEventListener(type, this.onDrag);
  }

  hostDisconnected(): void {
    for (const type of ['dragover', 'dragleave', 'drop'] as const) this.host.removeEventListener(type, this.onDrag);
  }

  private readonly onDrag = (event: DragEvent): void => {
    if (!this.host.openable || !event.dataTransfer?.types.includes('Files')) return;
    // Otherwise the browser would leave the page and show the file.
    event.preventDefault();
    this.hovered = event.type === 'dragover';
    const file = event.type === 'drop' ? event.dataTransfer.files[0] : undefined;
    if (file) this.dropped(file);
    this.host.requestUpdate();
  };
}
