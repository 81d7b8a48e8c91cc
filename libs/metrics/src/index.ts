export { MetricsModule, MetricsServer } from './metrics.module.js';
