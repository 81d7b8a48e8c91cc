const STATUSES = new Set(['available', 'pending', 'sold']);

/** The `limit` of a list as a number, or `undefined` if `limit` is not a whole number from 1 to 100. */
export function parseLimit(text = '20') {
  return /^(?:[1-9][0-9]?|100)$/.test(text) ? Number(text) : undefined;
}

/** Whether a list can be filtered by this status: one of the three statuses, or none. */
export function isStatusFilter(status) {
  return status === undefined || STATUSES.has(status);
}

/** Whether `value` is a valid new pet. */
export function isNewPet(value) {
  return (
    typeof value === 'object' &&
    value !== null &&
    typeof value.name === 'string' &&
    value.name.trim() !== '' &&
    value.name.length <= 255 &&
    Number.isSafeInteger(value.categoryId) &&
    isStatusFilter(value.status)
  );
}

/** The body of an error. */
export function errorBody(status, code, message) {
  return { code, message, status };
}
