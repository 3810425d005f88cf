//! Debug information: locations, scopes, variables.

use super::value::Value;
use super::{copy_text, ffi, llvm_sys};
use llvm_sys::core as c;
use llvm_sys::debuginfo as d;
use llvm_sys::debuginfo::LLVMMetadataKind as Kind;
use llvm_sys::prelude::{LLVMMetadataRef, LLVMValueRef};
use std::marker::PhantomData;
use std::ptr;

/// A metadata node of a [`super::Program`].
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Metadata<'p> {
    raw: LLVMMetadataRef,
    program: PhantomData<&'p super::Program>,
}

/// A statement of the debug information that a source variable lives in, or is, a value.
#[derive(Clone, Copy, Debug)]
pub struct DebugVariable<'p> {
    /// The variable lives at this address; otherwise it *is* the value.
    pub is_address: bool,
    pub value: Value<'p>,
    pub variable: Metadata<'p>,
    pub location: Option<Metadata<'p>>,
}

/// Name and folder of a file.
fn file_and_folder(file: LLVMMetadataRef) -> (String, String) {
    let mut length = 0;
    let name = ffi!(d::LLVMDIFileGetFilename(file, &raw mut length));
    let name = copy_text(name, length as usize);
    let folder = ffi!(d::LLVMDIFileGetDirectory(file, &raw mut length));
    (name, copy_text(folder, length as usize))
}

impl<'p> Metadata<'p> {
    pub(super) fn new(raw: LLVMMetadataRef) -> Option<Self> {
        (!raw.is_null()).then_some(Metadata {
            raw,
            program: PhantomData,
        })
    }

    fn kind(self) -> Kind {
        ffi!(d::LLVMGetMetadataKind(self.raw))
    }

    fn is(self, kind: Kind) -> bool {
        self.kind() as u32 == kind as u32
    }

    /// Line and column of a location.
    pub fn line_and_column(self) -> (u32, u32) {
        (
            ffi!(d::LLVMDILocationGetLine(self.raw)),
            ffi!(d::LLVMDILocationGetColumn(self.raw)),
        )
    }

    /// The scope of a location.
    pub fn location_scope(self) -> Option<Metadata<'p>> {
        Self::new(ffi!(d::LLVMDILocationGetScope(self.raw)))
    }

    /// The call at which the code of a location was inlined.
    pub fn inlined_at(self) -> Option<Metadata<'p>> {
        Self::new(ffi!(d::LLVMDILocationGetInlinedAt(self.raw)))
    }

    /// The scope of a location, in the function where its code was inlined last.
    pub fn outermost_scope(self) -> Option<Metadata<'p>> {
        let mut location = self;
        while let Some(outer) = location.inlined_at() {
            location = outer;
        }
        location.location_scope()
    }

    /// The scope around a block of the source; `None` for what is no block.
    pub fn block_parent(self, context: Value<'p>) -> Option<Metadata<'p>> {
        let is_block = self.is(Kind::LLVMDILexicalBlockMetadataKind)
            || self.is(Kind::LLVMDILexicalBlockFileMetadataKind);
        self.node_operand(1, context).filter(|_| is_block)
    }

    /// The scope in which a local variable is declared.
    pub fn variable_scope(self, context: Value<'p>) -> Option<Metadata<'p>> {
        self.node_operand(0, context)
    }

    /// File name and folder of a scope.
    pub fn scope_file(self) -> Option<(String, String)> {
        let file = ffi!(d::LLVMDIScopeGetFile(self.raw));
        if file.is_null() {
            return None;
        }
        Some(file_and_folder(file))
    }

    /// Line of a subprogram.
    pub fn subprogram_line(self) -> u32 {
        ffi!(d::LLVMDISubprogramGetLine(self.raw))
    }

    /// Operand of a node, as metadata. `context` is any value of the same program.
    fn operand(self, index: usize, context: Value<'p>) -> Option<LLVMValueRef> {
        let node = self.as_value(context);
        let count = ffi!(c::LLVMGetMDNodeNumOperands(node)) as usize;
        let mut operands = vec![ptr::null_mut(); count];
        ffi!(c::LLVMGetMDNodeOperands(node, operands.as_mut_ptr()));
        operands.get(index).copied().filter(|o| !o.is_null())
    }

    fn as_value(self, context: Value<'p>) -> LLVMValueRef {
        let context = ffi!(c::LLVMGetTypeContext(c::LLVMTypeOf(context.raw())));
        ffi!(c::LLVMMetadataAsValue(context, self.raw))
    }

    fn node_operand(self, index: usize, context: Value<'p>) -> Option<Metadata<'p>> {
        let operand = self.operand(index, context)?;
        Self::new(ffi!(c::LLVMValueAsMetadata(operand)))
    }

    fn string_operand(self, index: usize, context: Value<'p>) -> Option<String> {
        let operand = self.operand(index, context)?;
        let mut length = 0;
        let text = ffi!(c::LLVMGetMDString(operand, &raw mut length));
        (!text.is_null()).then(|| copy_text(text, length as usize))
    }

    /// The name of the subprogram that a scope belongs to.
    pub fn subprogram_name(self, context: Value<'p>) -> Option<String> {
        let mut scope = self;
        // Lexical blocks nest at most as deep as the source does; 10 000 is beyond any.
        for _ in 0..10_000 {
            if scope.is(Kind::LLVMDISubprogramMetadataKind) {
                return scope.string_operand(2, context);
            }
            scope = scope.node_operand(1, context)?;
        }
        None
    }

    /// The widest type of C that the type of an access tag is a kind of, such as `any pointer` for
    /// all pointers. `None` if the access may be of any type: a character, a member of a union, or
    /// a type of another language.
    pub fn access_type(self, context: Value<'p>) -> Option<String> {
        let mut ty = self.node_operand(1, context)?;
        let mut below = None;
        // Kinds of pointers nest as deep as pointers to pointers do.
        for _ in 0..10_000 {
            let name = ty.string_operand(0, context)?;
            let parent = ty.node_operand(1, context)?;
            if name == ANY_TYPE {
                let root = parent.string_operand(0, context)?;
                return below.filter(|_| root == TYPES_OF_C);
            }
            (below, ty) = (Some(name), parent);
        }
        None
    }

    /// The name of a local or global variable.
    pub fn variable_name(self, context: Value<'p>) -> Option<String> {
        self.string_operand(1, context)
    }

    /// Whether a variable's integers are signed; aggregates and pointers count as signed.
    pub fn variable_is_signed(self, context: Value<'p>) -> bool {
        let mut ty = self.node_operand(3, context);
        for _ in 0..64 {
            let Some(node) = ty else { return true };
            if node.is(Kind::LLVMDIBasicTypeMetadataKind) {
                let mut length = 0;
                let name = ffi!(d::LLVMDITypeGetName(node.raw, &raw mut length));
                let name = copy_text(name, length);
                let unsigned = [
                    "unsigned", "_Bool", "bool", "u8", "u16", "u32", "u64", "usize",
                ];
                return !unsigned.iter().any(|prefix| name.starts_with(prefix));
            }
            let is_other_name = node.is(Kind::LLVMDIDerivedTypeMetadataKind)
                && NAMES_AND_QUALIFIERS.contains(&ffi!(d::LLVMGetDINodeTag(node.raw)));
            if !is_other_name {
                return true;
            }
            ty = node.node_operand(FIRST_OF_KIND, context);
        }
        true
    }
}

/// Tags of types in debug information (DWARF 5, section 7.5).
mod tag {
    pub const ARRAY: u16 = 0x01;
    pub const POINTER: u16 = 0x0f;
    pub const REFERENCE: u16 = 0x10;
    pub const STRUCTURE: u16 = 0x13;
    pub const SUBROUTINE: u16 = 0x15;
    pub const TYPEDEF: u16 = 0x16;
    pub const UNION: u16 = 0x17;
    pub const CONST: u16 = 0x26;
    pub const VOLATILE: u16 = 0x35;
    pub const RESTRICT: u16 = 0x37;
    pub const ATOMIC: u16 = 0x47;
}

/// The first operand of a type that depends on its kind; sizes and offsets became operands.
const FIRST_OF_KIND: usize = if cfg!(feature = "llvm22") { 5 } else { 3 };

/// Types nest at most so deep before nothing is promised of them.
const DEEPEST_TYPE: u32 = 12;

impl<'p> Metadata<'p> {
    /// Types of a subprogram's parameters, without the mark of variable arguments.
    pub fn parameter_types(self, context: Value<'p>) -> Vec<Option<Metadata<'p>>> {
        let types = self
            .node_operand(4, context)
            .and_then(|ty| ty.node_operand(FIRST_OF_KIND, context));
        let Some(types) = types else {
            return vec![];
        };
        let count = types.operand_count(context);
        let mut found: Vec<_> = (1..count)
            .map(|index| types.node_operand(index, context))
            .collect();
        if found.last() == Some(&None) {
            found.pop();
        }
        found
    }

    fn operand_count(self, context: Value<'p>) -> usize {
        ffi!(c::LLVMGetMDNodeNumOperands(self.as_value(context))) as usize
    }

    fn tag(self) -> u16 {
        ffi!(d::LLVMGetDINodeTag(self.raw))
    }

    /// Whether something can be changed through a value of this type: it is, or holds, a pointer to
    /// what is not constant or from where such a pointer can be had.
    pub fn reaches_changeable(self, context: Value<'p>) -> bool {
        self.reaches_to(context, DEEPEST_TYPE)
    }

    fn reaches_to(self, context: Value<'p>, depth: u32) -> bool {
        let Some(depth) = depth.checked_sub(1) else {
            return true;
        };
        if self.is(Kind::LLVMDIBasicTypeMetadataKind) {
            return false;
        }
        let inner = self.node_operand(FIRST_OF_KIND, context);
        match self.tag() {
            tag::TYPEDEF | tag::CONST | tag::VOLATILE | tag::RESTRICT | tag::ATOMIC => {
                inner.is_some_and(|ty| ty.reaches_to(context, depth))
            }
            tag::ARRAY => inner.is_none_or(|ty| ty.reaches_to(context, depth)),
            tag::POINTER | tag::REFERENCE => {
                inner.is_none_or(|ty| ty.is_changeable(context, depth))
            }
            tag::STRUCTURE | tag::UNION => {
                let members = self.node_operand(FIRST_OF_KIND + 1, context);
                let Some(members) = members else {
                    return true;
                };
                let count = members.operand_count(context);
                let mut members = (0..count).filter_map(|it| members.node_operand(it, context));
                members.any(|member| {
                    let ty = member.node_operand(FIRST_OF_KIND, context);
                    ty.is_none_or(|ty| ty.reaches_to(context, depth))
                })
            }
            _other => !self.is(Kind::LLVMDICompositeTypeMetadataKind),
        }
    }

    /// Whether this is a pointer to functions.
    pub fn is_function_pointer(self, context: Value<'p>) -> bool {
        let mut ty = self;
        let mut pointer = false;
        for _ in 0..64 {
            match ty.tag() {
                tag::POINTER => pointer = true,
                tag::SUBROUTINE => return pointer,
                tag::TYPEDEF | tag::CONST | tag::VOLATILE | tag::RESTRICT => {}
                _other => return false,
            }
            let Some(inner) = ty.node_operand(FIRST_OF_KIND, context) else {
                return false;
            };
            ty = inner;
        }
        false
    }

    /// Whether an object of this type may be changed, or what it leads to.
    fn is_changeable(self, context: Value<'p>, depth: u32) -> bool {
        let mut ty = self;
        let mut constant = false;
        for _ in 0..64 {
            match ty.tag() {
                tag::CONST => constant = true,
                tag::TYPEDEF | tag::VOLATILE | tag::RESTRICT | tag::ATOMIC => {}
                tag::SUBROUTINE => return false,
                _other => return !constant || ty.reaches_to(context, depth),
            }
            let Some(inner) = ty.node_operand(FIRST_OF_KIND, context) else {
                // `void`.
                return !constant;
            };
            ty = inner;
        }
        true
    }
}

/// What names a type or qualifies it.
const NAMES_AND_QUALIFIERS: [u16; 5] = [
    tag::TYPEDEF,
    tag::CONST,
    tag::VOLATILE,
    tag::RESTRICT,
    tag::ATOMIC,
];

/// The root of the types that C accesses may have, and the type below it that may be any.
const TYPES_OF_C: &str = "Simple C/C++ TBAA";
const ANY_TYPE: &str = "omnipotent char";

impl<'p> Value<'p> {
    /// The tag that says as which type a load or store accesses memory.
    pub fn access_tag(self) -> Option<Metadata<'p>> {
        self.attached("tbaa")
    }

    /// Where the loop is that a jump repeats.
    pub fn loop_location(self) -> Option<Metadata<'p>> {
        let location = self.attached("llvm.loop")?.node_operand(1, self)?;
        location
            .is(Kind::LLVMDILocationMetadataKind)
            .then_some(location)
    }

    /// The metadata of a kind that an instruction bears.
    fn attached(self, kind: &str) -> Option<Metadata<'p>> {
        let context = ffi!(c::LLVMGetTypeContext(c::LLVMTypeOf(self.raw())));
        let length = u32::try_from(kind.len()).expect("invariant: short");
        let name = kind.as_ptr().cast();
        let kind = ffi!(c::LLVMGetMDKindIDInContext(context, name, length));
        let node = ffi!(c::LLVMGetMetadata(self.raw(), kind));
        if node.is_null() {
            return None;
        }
        Metadata::new(ffi!(c::LLVMValueAsMetadata(node)))
    }

    /// What the debug information says just before this instruction.
    #[cfg(feature = "llvm22")]
    pub fn debug_variables(self) -> Vec<DebugVariable<'p>> {
        use llvm_sys::LLVMDbgRecordKind as Record;
        let mut all = vec![];
        let mut record = ffi!(c::LLVMGetFirstDbgRecord(self.raw()));
        while !record.is_null() {
            let kind = ffi!(c::LLVMDbgRecordGetKind(record));
            let is_address = matches!(kind, Record::LLVMDbgRecordDeclare);
            if is_address || matches!(kind, Record::LLVMDbgRecordValue) {
                let value = Value::new(ffi!(c::LLVMDbgVariableRecordGetValue(record, 0)));
                let variable = Metadata::new(ffi!(c::LLVMDbgVariableRecordGetVariable(record)));
                if let (Some(value), Some(variable)) = (value, variable) {
                    all.push(DebugVariable {
                        is_address,
                        value,
                        variable,
                        location: Metadata::new(ffi!(c::LLVMDbgRecordGetDebugLoc(record))),
                    });
                }
            }
            record = ffi!(c::LLVMGetNextDbgRecord(record));
        }
        all
    }

    /// Where the labels of the source are that stand just before this instruction.
    #[cfg(feature = "llvm22")]
    pub fn debug_labels(self) -> Vec<Metadata<'p>> {
        use llvm_sys::LLVMDbgRecordKind as Record;
        let mut all = vec![];
        let mut record = ffi!(c::LLVMGetFirstDbgRecord(self.raw()));
        while !record.is_null() {
            if let Record::LLVMDbgRecordLabel = ffi!(c::LLVMDbgRecordGetKind(record)) {
                all.extend(Metadata::new(ffi!(c::LLVMDbgRecordGetDebugLoc(record))));
            }
            record = ffi!(c::LLVMGetNextDbgRecord(record));
        }
        all
    }

    /// A label is an instruction of its own, with its own place.
    #[cfg(not(feature = "llvm22"))]
    pub fn debug_labels(self) -> Vec<Metadata<'p>> {
        vec![]
    }

    /// What the debug information says at this instruction, a call of `llvm.dbg.*`.
    #[cfg(not(feature = "llvm22"))]
    pub fn debug_variables(self) -> Vec<DebugVariable<'p>> {
        if ffi!(c::LLVMIsADbgVariableIntrinsic(self.raw())).is_null() {
            return vec![];
        }
        let is_address = !ffi!(c::LLVMIsADbgDeclareInst(self.raw())).is_null();
        let address = self.operand(0);
        let mut operand: LLVMValueRef = ptr::null_mut();
        if ffi!(c::LLVMGetMDNodeNumOperands(address.raw())) == 1 {
            ffi!(c::LLVMGetMDNodeOperands(address.raw(), &raw mut operand));
        }
        let variable = Metadata::new(ffi!(c::LLVMValueAsMetadata(self.operand(1).raw())));
        match (Value::new(operand), variable) {
            (Some(value), Some(variable)) => vec![DebugVariable {
                is_address,
                value,
                variable,
                location: self.debug_location(),
            }],
            _ => vec![],
        }
    }

    /// File, folder and line of a global variable that the source has.
    pub fn global_debug_info(self) -> Option<(String, String, u32)> {
        let mut count = 0;
        let entries = ffi!(c::LLVMGlobalCopyAllMetadata(self.raw(), &raw mut count));
        let mut found = None;
        for index in 0..u32::try_from(count).unwrap_or(0) {
            let node = Metadata::new(ffi!(c::LLVMValueMetadataEntriesGetMetadata(entries, index)));
            if let Some(node) =
                node.filter(|n| n.is(Kind::LLVMDIGlobalVariableExpressionMetadataKind))
            {
                found = Metadata::new(ffi!(d::LLVMDIGlobalVariableExpressionGetVariable(node.raw)));
                break;
            }
        }
        if !entries.is_null() {
            ffi!(c::LLVMDisposeValueMetadataEntries(entries));
        }
        let variable = found?;
        let line = ffi!(d::LLVMDIVariableGetLine(variable.raw));
        let file = ffi!(d::LLVMDIVariableGetFile(variable.raw));
        variable.variable_name(self)?;
        if file.is_null() {
            return Some((String::new(), String::new(), line));
        }
        let (name, folder) = file_and_folder(file);
        Some((name, folder, line))
    }
}
