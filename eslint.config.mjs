import boundaries from 'eslint-plugin-boundaries'
import reactHooks from 'eslint-plugin-react-hooks'
import tseslint from 'typescript-eslint'
import { boundaryRule, boundarySettings } from './scripts/import-table.mjs'
import { root } from './scripts/setup.mjs'

const clockSyntax = [
  { selector: "MemberExpression[object.name='Date'][property.name='now']", message: 'Take the time from the clock you were given.' },
  { selector: "NewExpression[callee.name='Date'][arguments.length=0]", message: 'Take the time from the clock you were given.' },
  { selector: "CallExpression[callee.name='Date']", message: 'Take the time from the clock you were given.' },
  { selector: "MemberExpression[object.name='Math'][property.name='random']", message: 'Take randomness from the clock you were given.' },
  { selector: "MemberExpression[property.name='randomUUID']", message: 'Take identifiers from the clock you were given.' },
  { selector: "ImportSpecifier[imported.name='randomUUID']", message: 'Take identifiers from the clock you were given.' },
]
const ipcSyntax = [
  { selector: 'ImportSpecifier[imported.name=/^ipc(Main|Renderer)$/]', message: 'Use the typed channels of src-main/desktop.' },
  { selector: 'MemberExpression[property.name=/^ipc(Main|Renderer)$/]', message: 'Use the typed channels of src-main/desktop.' },
]
const castSyntax = [
  {
    selector: "TSAsExpression > TSAsExpression[typeAnnotation.type='TSUnknownKeyword']",
    message: 'A cast through unknown says something untrue: parse or narrow instead.',
  },
]
const restrictSyntax = (...lists) => ({ 'no-restricted-syntax': ['error', ...lists.flat()] })

const sizes = { 'max-lines': ['error', 400], 'max-lines-per-function': ['error', { max: 70, skipBlankLines: true, skipComments: true }] }

export default tseslint.config(
  { ignores: ['out/', 'coverage/', 'test-results/', 'playwright-report/', '.outlay/', 'src-shared/runtime.d.ts'] },
  { linterOptions: { noInlineConfig: true } },
  {
    files: ['**/*.{ts,tsx,mjs}'],
    rules: {
      ...sizes,
      'no-warning-comments': ['error', { terms: ['todo', 'fixme', 'xxx'] }],
      'no-restricted-exports': [
        'error',
        { restrictDefaultExports: { direct: true, named: true, defaultFrom: true, namedFrom: true, namespaceFrom: true } },
      ],
      eqeqeq: ['error', 'always', { null: 'ignore' }],
      'no-var': 'error',
      'prefer-const': 'error',
    },
  },
  {
    files: ['**/*.{ts,tsx}'],
    extends: [tseslint.configs.recommendedTypeChecked],
    languageOptions: { parserOptions: { projectService: true, tsconfigRootDir: root } },
    rules: {
      ...restrictSyntax(clockSyntax, ipcSyntax, castSyntax),
      '@typescript-eslint/consistent-type-imports': 'error',
      '@typescript-eslint/max-params': ['error', { max: 3 }],
      '@typescript-eslint/no-non-null-assertion': 'error',
      '@typescript-eslint/no-unsafe-type-assertion': 'error',
      '@typescript-eslint/no-unused-vars': ['error', { argsIgnorePattern: '^_', varsIgnorePattern: '^_' }],
      '@typescript-eslint/only-throw-error': 'error',
      '@typescript-eslint/restrict-template-expressions': ['error', { allowNumber: true, allowBoolean: true }],
      '@typescript-eslint/switch-exhaustiveness-check': ['error', { considerDefaultExhaustiveForUnions: true }],
      // Deciding that a promise may go its own way is written `void promise`; an async method of an interface may have nothing to await.
      '@typescript-eslint/require-await': 'off',
    },
  },
  {
    files: ['{src-main,src-renderer,src-shared,db}/**/*.{ts,tsx}'],
    plugins: { boundaries },
    settings: { ...boundarySettings, 'boundaries/root-path': root, 'import/resolver': { './scripts/import-resolver.mjs': {} } },
    rules: { 'boundaries/dependencies': ['error', boundaryRule] },
  },
  { files: ['**/*.tsx'], rules: { 'max-lines-per-function': ['error', { max: 120, skipBlankLines: true, skipComments: true }] } },
  // What the driver answers has the type that the statement says, and nothing else can say it.
  { files: ['src-main/store/**'], rules: { '@typescript-eslint/no-unsafe-type-assertion': 'off' } },
  // Schemas and columns that are built attribute by attribute from a definition: their type is computed from the same definition.
  {
    files: ['src-shared/contract/{attributes,record-attributes,representations}.ts', 'src-shared/records/{attributes,audited,columns}.ts'],
    rules: { '@typescript-eslint/no-unsafe-type-assertion': 'off' },
  },
  {
    files: ['src-renderer/**/*.{ts,tsx}'],
    extends: [reactHooks.configs.flat.recommended],
    rules: {
      // Warns of what the React compiler would skip; it is not in use.
      'react-hooks/incompatible-library': 'off',
      // Hooks hand out functions that their types declare as methods.
      '@typescript-eslint/unbound-method': 'off',
    },
  },
  { files: ['src-main/clock.ts', 'src-renderer/ui/values/clock.ts'], rules: restrictSyntax(ipcSyntax, castSyntax) },
  { files: ['src-main/{desktop,preload}/**/*.ts'], rules: restrictSyntax(clockSyntax, castSyntax) },
  // Data, whose length says nothing about how hard it is to read.
  {
    files: ['**/*currencies*.ts', 'db/migrations/**/*.ts', 'src-shared/i18n/**'],
    rules: { 'max-lines': 'off', 'max-lines-per-function': 'off' },
  },
  {
    files: ['test/**/*.{ts,tsx}'],
    rules: {
      ...restrictSyntax(ipcSyntax, castSyntax),
      'max-lines-per-function': 'off',
      // Properties over many drawn values, matchers and parsed answers: an untrue shape fails the test itself.
      '@typescript-eslint/max-params': 'off',
      '@typescript-eslint/no-unsafe-argument': 'off',
      '@typescript-eslint/no-unsafe-assignment': 'off',
      '@typescript-eslint/no-unsafe-call': 'off',
      '@typescript-eslint/no-unsafe-member-access': 'off',
      '@typescript-eslint/no-unsafe-return': 'off',
      '@typescript-eslint/no-unsafe-type-assertion': 'off',
    },
  },
  // It stands for Electron: it has its names, its default export, and runs what specs send it.
  {
    files: ['test/desktop/stand-in/**'],
    rules: { ...restrictSyntax(castSyntax), 'no-restricted-exports': 'off', '@typescript-eslint/no-implied-eval': 'off' },
  },
  { files: ['**/*.config.{ts,mjs}', 'scripts/**', '**/*.d.ts'], rules: { 'no-restricted-exports': 'off', 'no-restricted-syntax': 'off' } },
)
