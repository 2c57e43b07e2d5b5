export default {
  globs: ['web/src/element/soft-align.ts'],
  litelement: true,
};
