interface TreeNode<T> {
  readonly item: T
  parent: TreeNode<T> | undefined
  left: TreeNode<T> | undefined
  right: TreeNode<T> | undefined
  red: boolean
}

/**
 * A red-black tree that compares only while it inserts, as a Java `TreeSet` does.
 *
 * Kafka Streams keeps the children of a node in such a set while what they are compared by still changes, so the
 * order that comes out depends on the tree's shape at each insertion (`kafka-streams.md` C.6). A sorted list would
 * give another order; so would any other balancing.
 */
export class InsertionTree<T> {
  private root: TreeNode<T> | undefined

  constructor(private readonly compare: (a: T, b: T) => number) {}

  /** Puts an item where the comparison leads now. One that compares equal to an item met on the way is not put. */
  insert(item: T): void {
    let parent: TreeNode<T> | undefined
    let order = 0
    for (let at = this.root; at !== undefined; at = order < 0 ? at.left : at.right) {
      order = this.compare(item, at.item)
      if (order === 0) return
      parent = at
    }
    const node: TreeNode<T> = { item, parent, left: undefined, right: undefined, red: true }
    if (parent === undefined) this.root = node
    else if (order < 0) parent.left = node
    else parent.right = node
    this.rebalance(node)
  }

  /** The items from left to right. */
  toArray(): T[] {
    const items: T[] = []
    const walk = (node: TreeNode<T> | undefined): void => {
      if (node === undefined) return
      walk(node.left)
      items.push(node.item)
      walk(node.right)
    }
    walk(this.root)
    return items
  }

  private rebalance(inserted: TreeNode<T>): void {
    let node = inserted
    for (let parent = node.parent; parent?.red === true; parent = node.parent) {
      const grandparent = parent.parent as TreeNode<T>
      const side = parent === grandparent.left ? 'left' : 'right'
      const other = side === 'left' ? 'right' : 'left'
      const uncle = grandparent[other]
      if (uncle?.red === true) {
        parent.red = false
        uncle.red = false
        grandparent.red = true
        node = grandparent
        continue
      }
      if (node === parent[other]) {
        this.rotate(parent, side)
        node = parent
      }
      const top = node.parent as TreeNode<T>
      top.red = false
      grandparent.red = true
      this.rotate(grandparent, other)
    }
    if (this.root !== undefined) this.root.red = false
  }

  /** Sinks a node to the given side; its child on the other side takes its place. */
  private rotate(node: TreeNode<T>, side: 'left' | 'right'): void {
    const other = side === 'left' ? 'right' : 'left'
    const risen = node[other] as TreeNode<T>
    const moved = risen[side]
    node[other] = moved
    if (moved !== undefined) moved.parent = node
    risen.parent = node.parent
    if (node.parent === undefined) this.root = risen
    else if (node.parent.left === node) node.parent.left = risen
    else node.parent.right = risen
    risen[side] = node
    node.parent = risen
  }
}
