import { SoftAlign } from '../src/element/soft-align.ts';
import { modelFolder } from './address.ts';

/** Introduces a model to a newcomer. */
interface Introduction {
  readonly description?: string;
  /** Texts to try, best first. */
  readonly examples?: readonly string[];
}

/** A model in the manifest. */
interface Listed extends Introduction {
  readonly file: string;
  readonly title: string;
  /** Models of one task can be compared. */
  readonly task?: string;
}

/** The page's models: the one that translates, and the one it is compared with, in a second element. */
export class Models {
  private readonly picker: HTMLSelectElement;
  private readonly comparer: HTMLSelectElement;
  private readonly compared = new SoftAlign();
  private readonly heading = document.createElement('strong');
  private listed: readonly Listed[] = [];
  private readonly first: { readonly model: string; readonly text: string };

  /** @param introduction where the page describes the model   @param changed called after the reader chooses */
  constructor(
    private readonly stage: SoftAlign,
    private readonly form: HTMLFormElement,
    private readonly introduction: HTMLElement,
    changed: () => void,
  ) {
    this.picker = form.elements.namedItem('model') as HTMLSelectElement;
    this.comparer = form.elements.namedItem('compare') as HTMLSelectElement;
    this.compared.className = 'stage';
    this.compared.follow = stage.id;
    this.heading.slot = 'heading';
    this.heading.className = 'plate';
    this.compared.append(this.heading);
    this.first = { model: this.model, text: stage.text };
    this.picker.addEventListener('change', () => {
      this.choose(this.picker.value);
      changed();
    });
    this.comparer.addEventListener('change', () => {
      this.compare = this.comparer.value;
      changed();
    });
    stage.addEventListener('ready', () => this.dress());
  }

  /** '' for a file of the reader's own. */
  get model(): string {
    return this.stage.src.slice(modelFolder.length);
  }
  set model(file: string) {
    if (file) this.stage.src = `${modelFolder}${file}`;
    this.bringExample();
    this.dress();
  }

  get compare(): string {
    return this.compared.isConnected ? this.compared.src.slice(modelFolder.length) : '';
  }
  set compare(file: string) {
    if (file) {
      this.compared.src = `${modelFolder}${file}`;
      this.stage.after(this.compared);
    } else this.compared.remove();
    this.dress();
  }

  /** Offers the models of the manifest, with a choice if there are several. */
  async list(): Promise<void> {
    const models = await this.fetchList().finally(() => {
      // From now on what is hidden takes no room.
      for (const place of [this.form, this.introduction]) delete place.dataset.waiting;
    });
    this.listed = models;
    for (const select of models.length > 1 ? [this.picker, this.comparer] : []) {
      select.append(...models.map(({ file, title }) => new Option(title, file)));
      (select.closest('label') as HTMLElement).hidden = false;
    }
    this.bringExample();
    this.dress();
  }

  private async fetchList(): Promise<Listed[]> {
    const answer = await fetch(`${modelFolder}manifest.json`);
    return ((await answer.json()) as { models: Listed[] }).models;
  }

  private find(file: string): Listed | undefined {
    return this.listed.find((model) => model.file === file);
  }

  /** A text for one task means nothing in another, so the model brings its own. */
  private choose(file: string): void {
    const [before, chosen] = [this.find(this.model), this.find(file)];
    this.model = file;
    if (before?.task === chosen?.task) return;
    this.compare = '';
    this.stage.text = chosen?.examples?.[0] ?? this.stage.text;
  }

  /** A link can name a model without a text, and the page's own first sentence means nothing in another task. */
  private bringExample(): void {
    const [before, shown] = [this.find(this.first.model), this.find(this.model)];
    if (this.stage.text !== this.first.text || !shown || before?.task === shown.task) return;
    this.stage.text = shown.examples?.[0] ?? this.stage.text;
  }

  /** Shows the choice. */
  dress(): void {
    const own = [...this.picker.options].find(({ value }) => value === '');
    if (this.model) own?.remove();
    else if (!own) this.picker.add(new Option('your own file', ''));
    this.picker.value = this.model;
    const shown = this.find(this.model);
    for (const option of this.comparer.options)
      option.hidden = option.disabled = option.value !== '' && this.find(option.value)?.task !== shown?.task;
    introduce(this.introduction, shown, this.stage);
    this.comparer.value = this.compare;
    this.compared.theme = this.stage.theme;
    this.heading.textContent = this.comparer.selectedOptions[0]?.text ?? this.compare;
    this.stage.parentElement?.classList.toggle('comparing', this.compared.isConnected);
  }
}

/** Describes the model, and offers its examples as buttons. */
function introduce(place: HTMLElement, model: Introduction | undefined, stage: SoftAlign): void {
  const { description = '', examples = [] } = model ?? {};
  const [told, offered] = place.children as unknown as [HTMLElement, HTMLElement];
  told.textContent = description;
  told.hidden = !description;
  offered.hidden = examples.length === 0;
  offered.replaceChildren('Try ', ...examples.map((text) => button(text, stage)));
}

function button(text: string, stage: SoftAlign): HTMLButtonElement {
  const made = document.createElement('button');
  made.type = 'button';
  made.textContent = text;
  made.addEventListener('click', () => {
    stage.text = text;
  });
  return made;
}
