/** Scripts that are written from right to left (Unicode's Bidi_Class R and AL are in these). */
const rightToLeftLetter =
  /[\p{Script=Hebrew}\p{Script=Arabic}\p{Script=Syriac}\p{Script=Thaana}\p{Script=Nko}\p{Script=Adlam}]/u;

/** Whether a text runs from right to left, which its first letter decides, as with HTML's dir="auto". */
export function isRightToLeft(text: string): boolean {
  const letter = /\p{Letter}/u.exec(text)?.[0];
  return letter !== undefined && rightToLeftLetter.test(letter);
}
