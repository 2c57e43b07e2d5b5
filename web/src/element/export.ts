import { EngineError, UsageError } from '../errors.ts';
import { type Hypothesis, type Translation, translationToJson } from '../translation.ts';
import type { Look } from '../view/draw.ts';
import { figurePng, figureSvg } from '../view/figure.ts';
import { alignmentCsv } from '../view/table.ts';
import type { AlignmentView } from '../view/units.ts';

/** What can be taken away: the heatmap as a picture, its numbers as a table, everything as data. */
export type ExportFormat = 'png' | 'svg' | 'csv' | 'json';

/** What is on screen; without a look if there is no heatmap. */
export interface Exported {
  readonly translation: Translation;
  readonly shown: Hypothesis;
  readonly alignment: AlignmentView;
  readonly look: Look | undefined;
}

export async function exportFile(
  format: ExportFormat,
  { translation, shown, alignment, look }: Exported,
): Promise<Blob> {
  if (format === 'json') return new Blob([translationToJson(translation)], { type: 'application/json' });
  if (!look) throw new UsageError('This model has no attention, so there are no weights: save the data as json.');
  switch (format) {
    case 'png': {
      const picture = await figurePng(alignment, look);
      if (!picture) throw new EngineError('This browser could not make a picture of the heatmap; save it as SVG.');
      return picture;
    }
    case 'svg': {
      const title = `${translation.input} → ${shown.text}`;
      return new Blob([figureSvg(alignment, look, title)], { type: 'image/svg+xml' });
    }
    case 'csv':
      return new Blob([alignmentCsv(alignment)], { type: 'text/csv' });
    default:
      throw new UsageError(`'${format}' is not a format; use png, svg, csv or json.`);
  }
}
