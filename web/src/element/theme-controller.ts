import type { ReactiveController, ReactiveControllerHost } from 'lit';
import type { Theme } from './attributes.ts';

/** Whether the host is to be drawn on a dark surface: its theme, or what the reader's system prefers. */
export class ThemeController implements ReactiveController {
  private readonly preference = matchMedia('(prefers-color-scheme: dark)');

  constructor(private readonly host: ReactiveControllerHost & { readonly theme: Theme }) {
    host.addController(this);
  }

  get dark(): boolean {
    return this.host.theme === 'dark' || (this.host.theme !== 'light' && this.preference.matches);
  }

  hostConnected(): void {
    this.preference.addEventListener('change', this.changed);
  }

  hostDisconnected(): void {
    this.preference.removeEventListener('change', this.changed);
  }

  private readonly changed = () => this.host.requestUpdate();
}
