const STATUSES = new Set(['available', 'pending', 'sold']);

/** The `limit` of a list as a number, or `undefined` when it is not a whole number from 1 to 100. */
export function parseLimit(text = '20') {
  return /^(?:[1-9][0-9]?|100)$/.test(text) ? Number(text) : undefined;
}

/** Whether a list may be filtered by this status: one of the three, or none. */
export function isStatusFilter(status) {
  return status === undefined || STATUSES.has(status);
}

/** Whether this is a pet that may be added. */
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
