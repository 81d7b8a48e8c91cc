export { MetricsModule } from './metrics.module.js';
export { MetricsServer } from './metrics-server.js';
export { RequestMetrics } from './request-metrics.js';
