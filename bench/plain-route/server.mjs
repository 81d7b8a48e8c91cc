/** Starts the product with the module of {@link plainRouteModule} as a feature. */
import process from 'node:process';
import { productFile, productPackage } from './product.mjs';
import { plainRouteModule } from './module.mjs';

const { readEnvironment } = await productFile('apps/api/src/environment.js');
const { createApp, exitOnSignals } = await productFile('apps/api/src/create-app.js');
const { setFlagsFromString } = await import('node:v8');

// The product's main.ts sets the same flag.
setFlagsFromString('--no-allocation-site-pretenuring');
await productPackage('reflect-metadata');
const environment = readEnvironment(process.env);
const app = await createApp(environment, { features: [await plainRouteModule()] });
exitOnSignals(app, {
  delaySeconds: environment.SHUTDOWN_DELAY_SECONDS,
  graceSeconds: environment.SHUTDOWN_GRACE_SECONDS,
  loggedPath: (path) => path,
});
await app.listen(environment.PORT, environment.HOST);
