import type { RequestListener, Server } from 'node:http';

export function files(root: string, typeOf?: (path: string) => string): RequestListener;
export function listen(handler: RequestListener, port: number): Promise<Server>;
