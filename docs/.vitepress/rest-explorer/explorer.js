// Shows the OpenAPI document of this service. The token is kept only while the page is open.

const dark = matchMedia('(prefers-color-scheme: dark)');
const followTheme = () => document.documentElement.classList.toggle('dark-mode', dark.matches);
dark.addEventListener('change', followTheme);
followTheme();

SwaggerUIBundle({
  url: new URL('../../openapi.json', document.baseURI).href,
  domNode: document.getElementById('explorer'),
  deepLinking: true,
  defaultModelsExpandDepth: 0,
  docExpansion: 'list',
  filter: true,
  persistAuthorization: false,
  tryItOutEnabled: true,
  validatorUrl: null,
});
