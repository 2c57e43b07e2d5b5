export default {
  globs: ['web/src/element/soft-align.ts'],
  litelement: true,
  // It would write the place of its output into package.json.
  packagejson: false,
};
