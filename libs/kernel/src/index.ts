export { INT64_MAX, INT64_MIN, isInt64, parseInt64 } from './int64.js';
