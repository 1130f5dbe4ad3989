// An Express application whose refunds need a permitting verdict.

import express, { type Express, type Request } from 'express';
import type { Govern } from '@govern/sdk';
import { guardRequests } from '@govern/sdk/express';

export function createApp(govern: Govern): Express {
  const app = express();
  app.use(express.json());
  const guard = guardRequests(govern, (request: Request) => ({
    context: { decision_type: 'refund', fields: request.body },
    idempotency_key: request.get('idempotency-key'),
  }));
  app.post('/refunds', guard, (request, response) => {
    response.status(201).json({ refunded: request.body.amount });
  });
  return app;
}
