import tseslint from 'typescript-eslint';

export default tseslint.config(
  { ignores: ['node_modules', '.payrun', 'dist', '**/*.cjs', '**/*.mjs', 'bin'] },
  {
    files: ['**/*.{ts,tsx}'],
    extends: [tseslint.configs.strictTypeChecked],
    languageOptions: { parserOptions: { projectService: true, tsconfigRootDir: import.meta.dirname } },
    linterOptions: { reportUnusedDisableDirectives: 'error' },
    rules: {
      '@typescript-eslint/restrict-template-expressions': ['error', { allowNumber: true, allowBoolean: true }],
      '@typescript-eslint/no-confusing-void-expression': ['error', { ignoreArrowShorthand: true }],
      '@typescript-eslint/consistent-type-imports': 'error',
      'max-lines': ['error', { max: 300 }],
      'max-lines-per-function': ['error', { max: 70, skipBlankLines: true, skipComments: true }],
      'max-depth': ['error', 3],
      eqeqeq: 'error',
    },
  },
  {
    // A describe block is a list of tests, not a function that one reads as a whole.
    files: ['test/**/*.ts'],
    rules: { 'max-depth': 'off', 'max-lines-per-function': 'off', '@typescript-eslint/no-non-null-assertion': 'off' },
  },
);
