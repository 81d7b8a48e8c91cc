export { MetricsModule } from './metrics.module.js';
export { MetricsServer, type MetricsSettings } from './metrics-server.js';
export { RequestMetrics } from './request-metrics.js';
