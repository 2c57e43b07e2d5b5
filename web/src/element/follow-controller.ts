import type { LitElement, ReactiveController } from 'lit';
import { type Selection, sameSelection } from '../view/selection.ts';
import { type Attributes, valuesFor } from './attributes.ts';

type Followed = LitElement & Readonly<Attributes> & { readonly selection: Selection | null };

/** Follows what another element shows, to compare two models on the same sentence. */
export class FollowController implements ReactiveController {
  private leader: Followed | undefined;
  private seen: Selection | null = null;
  private readonly watch: ReactiveController = { hostUpdated: () => this.host.requestUpdate() };

  constructor(private readonly host: Followed) {
    host.addController(this);
  }

  hostConnected(): void {
    this.host.requestUpdate();
  }

  hostDisconnected(): void {
    this.lead(undefined);
  }

  /** The values to take over from the followed element, if there is one. */
  values(): Partial<Attributes> {
    this.lead(this.find());
    return this.leader ? valuesFor(this.leader, 'follower') : {};
  }

  /** What to highlight after another source word was highlighted in the followed element; undefined if nothing changed there. */
  takeSelection(): Selection | null | undefined {
    const selection = this.leader?.selection ?? null;
    if (sameSelection(selection, this.seen)) return undefined;
    this.seen = selection;
    // Its rows are another model's words.
    const column = selection?.column ?? null;
    return column === null ? null : { row: null, column };
  }

  /** Takes over the highlight of the followed element once more. */
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
