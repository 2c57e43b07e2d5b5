import type { Hypothesis, Translation } from '../translation.ts';
import { type AlignmentView, alignPieces, alignWords } from '../view/units.ts';

/** The view of what is shown: the same object as long as nothing changed, so that nothing is drawn anew. */
export class DrawnView {
  private hypothesis: Hypothesis | undefined;
  private pieces = false;
  private view: AlignmentView | undefined;

  of(translation: Translation, hypothesis: Hypothesis, pieces: boolean): AlignmentView {
    if (!this.view || hypothesis !== this.hypothesis || pieces !== this.pieces) {
      const align = pieces ? alignPieces : alignWords;
      this.view = align(translation, hypothesis);
    }
    this.hypothesis = hypothesis;
    this.pieces = pieces;
    return this.view;
  }
}
