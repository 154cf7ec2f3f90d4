// Rejects circular folders, of types too. The files that register features import every feature, and features import the
// folders that contain these files, so this check leaves these files out.
const { forbidden, options } = require('./.dependency-cruiser.cjs');

const infrastructure = forbidden.find(({ name }) => name === 'infrastructure-imports-no-feature');

module.exports = {
  forbidden: [
    {
      name: 'no-circular-folders',
      severity: 'error',
      scope: 'folder',
      from: {},
      to: { circular: true },
    },
  ],
  options: {
    ...options,
    exclude: { path: [...options.exclude.path, infrastructure.from.pathNot] },
  },
};
