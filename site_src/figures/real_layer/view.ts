// One layer's heads: drawn as all heads are.

export { default } from "../real_heads/view";
