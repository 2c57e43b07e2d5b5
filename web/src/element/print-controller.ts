import type { ReactiveController, ReactiveControllerHost } from 'lit';

/** Whether the host is about to be printed: what it measures then has to hold on paper, whose width nobody knows before. */
export class PrintController implements ReactiveController {
  printing = false;

  constructor(private readonly host: ReactiveControllerHost) {
    host.addController(this);
  }

  hostConnected(): void {
    addEventListener('beforeprint', this.begin);
    addEventListener('afterprint', this.end);
  }

  hostDisconnected(): void {
    removeEventListener('beforeprint', this.begin);
    removeEventListener('afterprint', this.end);
    this.printing = false;
  }

  private readonly begin = () => this.set(true);
  private readonly end = () => this.set(false);

  private set(printing: boolean): void {
    this.printing = printing;
    this.host.requestUpdate();
  }
}
