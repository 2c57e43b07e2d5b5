import { tsImport } from 'tsx/esm/api';

const { attributes } = await tsImport('./src/element/attributes.ts', import.meta.url);

/** What the table's remarks say of each attribute. */
const meanings = new Map();

/** Gives the element the attributes of its table, which no analysis of the class alone would find. */
const tableOfAttributes = {
  name: 'table-of-attributes',
  analyzePhase({ ts, node }) {
    if (!ts.isVariableDeclaration(node) || node.name.text !== 'attributes') return;
    for (const { name, jsDoc } of node.initializer.properties) meanings.set(name.text, jsDoc[0].comment);
  },
  packageLinkPhase({ customElementsManifest }) {
    const element = customElementsManifest.modules
      .flatMap(({ declarations }) => declarations)
      .find(({ tagName }) => tagName === 'soft-align');
    element.attributes = Object.entries(attributes).map(([name, { initial, words, places }]) => ({
      name,
      fieldName: name,
      type: { text: words ? words.map((word) => `'${word}'`).join(' | ') : typeof initial },
      default: typeof initial === 'string' ? `'${initial}'` : String(initial),
      description: meanings.get(name),
      places,
    }));
    const fields = element.attributes.map(({ fieldName, places: _, ...rest }) => ({
      ...rest,
      kind: 'field',
      name: fieldName,
      attribute: rest.name,
      reflects: attributes[fieldName].reflect,
    }));
    element.members.unshift(...fields);
  },
};

export default {
  globs: ['web/src/element/{attributes,soft-align}.ts'],
  litelement: true,
  // It would write the place of its output into package.json.
  packagejson: false,
  plugins: [tableOfAttributes],
};
