export interface Route<T = unknown> {
  readonly path: string;
  handle(request: T): Promise<void>;
}

export type RouteTable = Record<string, Route>;

export abstract class Router {
  private table: RouteTable = {};

  addRoute(route: Route): this {
    this.table[route.path] = route;
    return this;
  }

  abstract dispatchRequest(path: string): Promise<void>;
}

export enum Method { Get = 'GET', Post = 'POST' }

export const makeRouter = (): Router => new (class extends Router {
  async dispatchRequest(path: string) { /* `${path}` */ }
})();
