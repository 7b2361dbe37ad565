export interface Product {
  name: string;
  cents: number;
}

export class Cart<T extends Product> {
  private products: T[] = [];

  addProduct(product: T): void {
    this.products.push(product);
  }
}

export enum Size { Small, Large }

export type Sized<T> = T & { size: Size };
