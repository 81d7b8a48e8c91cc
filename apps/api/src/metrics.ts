/** The module that is loaded only if METRICS_PORT is set. The compiler resolves aliases only in static imports. */
export { MetricsModule } from '@animal-store/metrics';
