// How high the pages of the page view are, from the sizes of the document's pages: most of them have no element.

export class PageGeometry {
  // `sizes` holds (count, width, height) of each run of pages of the same size, in points.
  constructor({ first, sizes }) {
    this.first = Number(first);
    this.sizes = JSON.parse(sizes).flatMap(([count, width, height]) => Array(count).fill({ width, height }));
    this.last = this.first + this.sizes.length - 1;
    this.sums = [0]; // of height / width, up to each page
    for (const { width, height } of this.sizes) this.sums.push(this.sums.at(-1) + height / width);
  }

  get count() {
    return this.sizes.length;
  }

  getSize(page) {
    return this.sizes[page - this.first];
  }

  // Return the height of a run of pages, in widths of a page.
  sumRatios(first, last) {
    return this.sums[last - this.first + 1] - this.sums[first - this.first];
  }

  // Return the page of a run that is `down` of its height below its top; `width` and `caption` are in the same unit as `down`.
  findPage(first, last, down, { width, caption }) {
    let [low, high] = [first, last];
    while (low < high) {
      const middle = Math.floor((low + high) / 2);
      if (this.sumRatios(first, middle) * width + (middle - first + 1) * caption < down) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}
