/** The code generator, which is large: import this module lazily. What it writes is what runs and what is exported. */
export {
  applyFix,
  fixPreview,
  generateProject,
  importDescription,
  incompleteness,
  parseDocument,
  writeDocument,
} from '@lanescope/shared'
