import type { CodegenConfig } from '@graphql-codegen/cli';

// Paths are relative to the project root, where the command runs.
const config: CodegenConfig = {
  schema: 'schema.graphql',
  documents: ['src/web/**/*.{ts,tsx}', '!src/web/gql/**'],
  generates: {
    'src/web/gql/': {
      preset: 'client',
      // The pages send the hash of a document. The service finds its text in persisted-documents.json.
      presetConfig: { fragmentMasking: false, persistedDocuments: { hashPropertyName: 'id' } },
      config: {
        documentMode: 'string',
        useTypeImports: true,
        strictScalars: true,
        enumType: 'string-literal',
        scalars: { Date: 'string', DateTime: 'string', JSON: 'unknown' },
      },
    },
  },
};

export default config;
