export { BodyGuard } from './bodies/body.guard.js';
export { BodyLimit } from './bodies/body-limit.decorator.js';
export { stringifyExactJson } from './json/exact-json.js';
export { ErrorCodes, type ErrorCodeDefinition } from './errors/error-codes.js';
export { ErrorFilter } from './responses/error.filter.js';
export { ErrorResponse } from './errors/error-response.js';
export { HttpModule } from './http.module.js';
export { JsonExpressAdapter, type HttpOptions } from './nest/json-express.adapter.js';
export { ApiErrors, ApiResource } from './openapi/api.decorators.js';
export { completeDocument } from './openapi/complete-document.js';
export { Docs } from './openapi/docs.js';
export { ModuleHeaders } from './responses/module-headers.js';
export { SecuritySchemes } from './openapi/security-schemes.js';
export { FIXED_FIELDS } from './openapi/documented-headers.js';
export { PageRequest } from './pages/page-request.js';
export { Pages, PagesModule } from './pages/pages.js';
export { RateLimitModule } from './rate-limit/rate-limit.module.js';
export { HttpResponse } from './responses/http-response.js';
export { UnpackedResponse } from './responses/unpacked-response.interceptor.js';
export { Deprecated } from './routes/deprecation.js';
export { SentIdempotencyKey } from './routes/idempotency-key.decorator.js';
export { Int64IdPipe } from './routes/int64-id.pipe.js';
export { QueryGuard } from './routes/query.guard.js';
export { RouteTable } from './routes/route-table.js';
export { requestContext } from './requests/request-context.js';
export { RequestTracker, type FinishedRequest, type RequestObserver } from './connections/request-tracker.js';
export { exitOnSignals } from './shutdown/exit-on-signals.js';
export { HttpDrain } from './shutdown/http-drain.js';
export {
  CachedQuery,
  IsDateTime,
  IsInt64,
  IsText,
  Optional,
  Satisfies,
  Untransformed,
} from './validation/field-rules.decorators.js';
