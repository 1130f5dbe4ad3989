// Generates src/openapi.ts and src/resources.ts from /openapi.json and sdk/operations.json.
//
//   node scripts/generate.mjs [DIRECTORY]    default: src

import { readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import openapiTS, { astToString } from 'openapi-typescript';

const root = resolve(import.meta.dirname, '../../..');
const target = process.argv[2] ?? resolve(import.meta.dirname, '../src');
const document = JSON.parse(readFileSync(join(root, 'openapi.json'), 'utf8'));
const { methods, reads } = JSON.parse(readFileSync(join(root, 'sdk/operations.json'), 'utf8'));
const NOTICE = '// Generated from /openapi.json by scripts/generate.mjs. Do not edit.\n\n';

// --- Types ---------------------------------------------------------------------------------------------------

// Operations reference the parameters and the responses that they share.
const paths = structuredClone(document.paths);
for (const operation of Object.values(paths).flatMap(Object.values)) {
  operation.parameters = (operation.parameters ?? []).map(resolved);
  for (const [status, response] of Object.entries(operation.responses)) operation.responses[status] = resolved(response);
}
const operations = Object.entries(paths).flatMap(([path, item]) =>
  Object.entries(item).map(([method, operation]) => ({ ...operation, path, method: method.toUpperCase() })),
);
const byId = new Map(operations.map((operation) => [operation.operationId, operation]));

// The methods below name their results, so only schemas and parameters are needed.
for (const operation of Object.values(paths).flatMap(Object.values)) {
  operation.responses = {};
  delete operation.requestBody;
  operation.parameters = operation.parameters.filter((parameter) => parameter.in === 'query');
}
// The type of any JSON value is `unknown`, so that callers can pass their own types.
const schemasOnly = { ...document.components.schemas, JsonValue: {} };
const types = await openapiTS(
  { ...document, paths, components: { schemas: schemasOnly } },
  { rootTypes: true, rootTypesNoSchemaPrefix: true, emptyObjectsUnknown: true },
);
write('openapi.ts', astToString(types));

// --- Resources -----------------------------------------------------------------------------------------------

const tree = {};
for (const [id, name] of Object.entries(methods)) {
  const parts = name.split('.');
  const method = parts.pop();
  let node = tree;
  for (const part of parts) node = node[part] ??= {};
  node[method] = byId.get(id);
}

const schemas = new Set();
const classes = [];
const roots = Object.entries(tree).map(([name, node]) => ({ name, type: resource([name], node) }));

/** Returns the part of the document that a reference names, or the value itself. */
function resolved(value) {
  const keys = value.$ref?.split('/').slice(1);
  return keys ? keys.reduce((part, key) => part[key], document) : value;
}

/** Writes the class of a resource after those of its parts, and returns its name. */
function resource(names, node) {
  const type = className(names);
  const parts = Object.entries(node).filter(([, child]) => !child.operationId);
  const fields = parts.map(([name, child]) => `  readonly ${name}: ${resource([...names, name], child)};\n`);
  const assignments = parts.map(([name]) => `    this.${name} = new ${className([...names, name])}(transport);\n`);
  const constructor = `  constructor(private readonly transport: Transport) {${assignments.length ? `\n${assignments.join('')}  ` : ''}}\n`;
  const calls = Object.entries(node)
    .filter(([, child]) => child.operationId)
    .map(([name, child]) => method(name, child));
  classes.push(
    `export class ${type} {\n${fields.join('')}${fields.length ? '\n' : ''}${[constructor, ...calls].join('\n')}}\n`,
  );
  return type;
}

function method(name, operation) {
  const { operationId, path, parameters } = operation;
  const inPath = parameters.filter((parameter) => parameter.in === 'path');
  const query = parameters.filter((parameter) => parameter.in === 'query');
  const header = parameters.find((parameter) => parameter.in === 'header' && !/tenant/i.test(parameter.name));
  const queryType = `operations['${operationId}']['parameters']['query']`;
  const url =
    path === '/v1/log/tile/{path}'
      ? 'path`/v1/log/tile/`+tilePath(tile)'
      : 'path`' + path.replace(/\{(\w+)\}/g, (_, id) => '${' + camel(id) + '}') + '`';
  const args = inPath.map(({ name: id, schema }) =>
    path === '/v1/log/tile/{path}' ? 'tile: string' : `${camel(id)}: ${schema.type === 'string' ? 'string' : 'number'}`,
  );
  const call = [];

  const [status, response] = Object.entries(operation.responses).find(([status]) => status.startsWith('2'));
  const content = Object.keys(response.content ?? {});
  const schema = response.content?.['application/json']?.schema?.$ref?.split('/').at(-1);
  const isList = /^Page_|^AlertPage$/.test(schema ?? '');

  if (name === 'stream') {
    const type = `NonNullable<${queryType}>`;
    return (
      doc(operation) +
      `  stream(query: ${type} = {}, options: StreamOptions = {}): AsyncGenerator<StreamedDecision, void, undefined> {
    const open = (lastEventId: string | undefined) =>
      this.transport.send('GET', ${url}, unread, {
        query,
        headers: { 'last-event-id': lastEventId || undefined }, // an empty ID is none
        options: { signal: options.signal },
      });
    return streamDecisions(this.transport, open, options);
  }\n`
    );
  }
  if (name === 'export') {
    use('DecisionRecord');
    return (
      doc(operation) +
      `  async *export(query: Omit<${queryType}, 'format'>, options?: RequestOptions): AsyncGenerator<DecisionRecord, void, undefined> {
    const response = await this.transport.send('GET', ${url}, unread, { query, options });
    yield* jsonLines<DecisionRecord>(response, this.transport.timeoutMs(options), options?.signal);
  }\n`
    );
  }

  const body = operation.requestBody?.content['application/json'].schema.$ref.split('/').at(-1);
  if (body === 'EmptyBody') {
    call.push('body: {}');
  } else if (body) {
    const hasKey = JSON.stringify(document.components.schemas[body]).includes('"idempotency_key"');
    const isOptional = !operation.requestBody.required;
    args.push(`body: ${hasKey ? `OptionalKey<${use(body)}>` : use(body)}${isOptional ? ' = {}' : ''}`);
    call.push(hasKey ? 'body: withIdempotencyKey(body)' : 'body');
    if (hasKey) call.push('isRepeatable: true');
  }
  if (reads.includes(operationId)) call.push('isRepeatable: true');
  if (query.length) {
    args.push(`query: NonNullable<${queryType}> = {}`);
    call.push(isList ? 'query: { ...query, ...position }' : 'query');
  } else if (isList) {
    call.push('query: position');
  }
  if (header) {
    args.push(`password?: string`);
    call.push(`headers: { '${header.name.toLowerCase()}': headerPassword(password) }`);
  }
  args.push('options?: RequestOptions');
  call.push('options');

  const [reader, type] = result(content, schema);
  const send = (generic) =>
    `this.transport.send${generic}('${operation.method}', ${url}, ${reader}, { ${call.join(', ')} })`;
  if (isList) {
    const page = document.components.schemas[schema].properties.items.items.$ref.split('/').at(-1);
    const pager = `Pager<${use(page)}, ${use(schema)}>`;
    return (
      doc(operation) +
      `  ${name}(${args.join(', ')}): ${pager} {
    return new Pager((position) => ${send('')});
  }\n`
    );
  }
  return (
    doc(operation) +
    `  ${name}(${args.join(', ')}): Promise<${type}> {
    return ${send('')};
  }\n`
  );
}

/** Returns the reader and the type of a result. */
function result(content, schema) {
  if (content.length === 0) return ['nothing', 'void'];
  if (content.some((type) => /tar|octet-stream/.test(type))) return ['bytes', 'Uint8Array'];
  if (content[0] === 'text/plain') return ['text', 'string'];
  return ['json', schema ? use(schema) : 'Record<string, any>'];
}

/** Imports a schema and returns its name in TypeScript. */
function use(schema) {
  const name = schema.replaceAll('_', '');
  schemas.add(name);
  return name;
}

function doc({ summary, description, method, path }) {
  const paragraphs = [summary, description, `\`${method} ${path}\``].filter(Boolean);
  const lines = paragraphs.join('\n\n').replaceAll('*/', '*\\/').split('\n');
  return ['  /**', ...lines.map((line) => `   * ${line}`.trimEnd()), '   */', ''].join('\n');
}

function className(names) {
  return names.map((name) => name[0].toUpperCase() + name.slice(1)).join('') + 'Resource';
}

function camel(name) {
  return name.replace(/_(\w)/g, (_, letter) => letter.toUpperCase());
}

function write(name, text) {
  writeFileSync(join(target, name), NOTICE + text);
}

write(
  'resources.ts',
  `import type { ${[...schemas].sort().join(', ')}, operations } from './openapi.js';
import { Pager } from './pager.js';
import { jsonLines, streamDecisions, type StreamedDecision, type StreamOptions } from './stream.js';
import { bytes, headerPassword, json, nothing, path, text, tilePath, type RequestOptions, type Transport, unread, withIdempotencyKey } from './transport.js';

/** A body whose idempotency key is optional: the client generates one if it is absent. */
export type OptionalKey<Body> = Body extends { idempotency_key?: string | null }
  ? Omit<Body, 'idempotency_key'> & { idempotency_key?: string }
  : never;

${classes.join('\n')}
/** All resources of the API. */
export class Resources {
${roots.map(({ name, type }) => `  readonly ${name}: ${type};`).join('\n')}

  constructor(transport: Transport) {
${roots.map(({ name, type }) => `    this.${name} = new ${type}(transport);`).join('\n')}
  }
}
`,
);
