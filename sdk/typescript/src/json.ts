// Request bodies in JSON. `JSON.stringify` changes some values in silence; they are refused here.

// The service accepts 64 levels.
const DEPTH_MAX = 100;

/**
 * Throws a TypeError with the JSON Pointer of the first value that JSON cannot express exactly: `NaN`, an infinite
 * number, one beyond ±(2^53 − 1), a function, an object of a class such as `Date` or `Map`, `undefined` in an array. A
 * member with the value `undefined` is absent, as in the types of the requests.
 */
export function assertJson(value: unknown, path = '', ancestors: readonly object[] = []): void {
  const refuse = (problem: string) => {
    throw new TypeError(`\`${path || '/'}\` ${problem}`);
  };
  switch (typeof value) {
    case 'string':
      if (/\p{Surrogate}/u.test(value)) refuse('contains half of a surrogate pair');
      return;
    case 'number':
      if (!Number.isFinite(value)) refuse(`is ${value}, which is not a number of JSON`);
      if (Math.abs(value) > Number.MAX_SAFE_INTEGER) refuse(`is ${value}, which is not within ±(2^53 − 1)`);
      return;
    case 'boolean':
      return;
    case 'object':
      break;
    default:
      refuse(`is of the type ${typeof value}, which is not one of JSON`);
  }
  if (value === null) return;
  if (ancestors.includes(value as object)) refuse('contains itself');
  if (ancestors.length > DEPTH_MAX) refuse(`is nested more than ${DEPTH_MAX} times`);
  const within = [...ancestors, value as object];
  if (Array.isArray(value)) {
    // Not `forEach`, which skips empty elements.
    for (let index = 0; index < value.length; index++) assertJson(value[index], `${path}/${index}`, within);
    // Also `toJSON`, which `JSON.stringify` calls.
    if (Object.keys(value).length > value.length || 'toJSON' in value) refuse('is an array with further members');
    return;
  }
  if (!isPlain(value as object)) {
    refuse(`is an object of the class ${(value as object).constructor?.name}, which has no form in JSON`);
  }
  const symbols = Object.getOwnPropertySymbols(value);
  if (symbols.some((name) => Object.prototype.propertyIsEnumerable.call(value, name))) {
    refuse('has a symbol as a name');
  }
  for (const [name, member] of Object.entries(value as object)) {
    const at = `${path}/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`;
    assertJson(name, at);
    if (member !== undefined) assertJson(member, at, within);
  }
}

/** Returns whether an object has no class, also if it is of another window or context. */
function isPlain(value: object): boolean {
  const prototype = Object.getPrototypeOf(value);
  return prototype === null || Object.getPrototypeOf(prototype) === null;
}
