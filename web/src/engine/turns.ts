/** Lets one task run at a time, in the order of asking, so that a task nobody wants any more is skipped, not run. */
export class Turns {
  private last: Promise<unknown> = Promise.resolve();

  /** @param wanted asked when the turn comes */
  take(task: () => Promise<void>, wanted: () => boolean): void {
    const turn = () => (wanted() ? task() : undefined);
    this.last = this.last.then(turn, turn);
  }
}
