export { MetricsModule } from './metrics.module.js';
export { MetricsServer } from './metrics-server.js';
