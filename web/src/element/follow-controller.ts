import type { LitElement, ReactiveController } from 'lit';
import { type Selection, sameSelection } from '../view/selection.ts';

type Followed = LitElement & {
  text: string;
  beam: number;
  pieces: boolean;
  readonly selection: Selection | null;
};

/** Keeps the host's sentence, search and highlighted source word those of another element, to compare two models. */
export class FollowController implements ReactiveController {
  private leader: Followed | undefined;
  private seen: Selection | null = null;
  private readonly watch: ReactiveController = { hostUpdated: () => this.host.requestUpdate() };

  constructor(private readonly host: Followed & { follow: string }) {
    host.addController(this);
  }

  hostDisconnected(): void {
    this.lead(undefined);
  }

  /** Takes over what the followed element shows, where there is one. */
  copy(): void {
    this.lead(this.find());
    if (!this.leader) return;
    const { text, beam, pieces } = this.leader;
    Object.assign(this.host, { text, beam, pieces });
  }

  /** What to highlight when another source word was highlighted in the followed element; undefined when nothing changed there. */
  takeSelection(): Selection | null | undefined {
    const selection = this.leader?.selection ?? null;
    if (sameSelection(selection, this.seen)) return undefined;
    this.seen = selection;
    // Its rows are another model's words.
    const column = selection?.column ?? null;
    return column === null ? null : { row: null, column };
  }

  /** Has what is highlighted in the followed element taken over once more. */
  again(): void {
    this.seen = null;
  }

  private find(): Followed | undefined {
    const { host } = this;
    if (!host.follow || !host.isConnected) return undefined;
    const found = (host.getRootNode() as Document | ShadowRoot).getElementById(host.follow);
    const same = found !== host && found?.localName === host.localName && 'addController' in found;
    return same ? (found as unknown as Followed) : undefined;
  }

  private lead(leader: Followed | undefined): void {
    if (leader === this.leader) return;
    this.leader?.removeController(this.watch);
    this.leader = leader;
    leader?.addController(this.watch);
  }
}
