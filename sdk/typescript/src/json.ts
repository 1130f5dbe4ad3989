// Request bodies in JSON. `JSON.stringify` changes some values in silence; they are refused here.

/**
 * Throws a TypeError with the JSON Pointer of the first value that JSON cannot express: `NaN`, an infinite number, a
 * function, an object of a class such as `Date` or `Map`, `undefined` in an array. A member with the value `undefined`
 * is absent, as in the types of the requests.
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
  const within = [...ancestors, value as object];
  if (Array.isArray(value)) {
    // Not `forEach`, which skips empty elements.
    for (let index = 0; index < value.length; index++) assertJson(value[index], `${path}/${index}`, within);
    return;
  }
  if (!isPlain(value as object)) {
    refuse(`is an object of the class ${(value as object).constructor?.name}, which has no form in JSON`);
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
