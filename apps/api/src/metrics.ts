/** What is loaded only where METRICS_PORT asks for it. The compiler resolves aliases of static imports alone. */
export { MetricsModule } from '@animal-store/metrics';
