//! From the arguments to a program that is ready for an engine.

use crate::arguments::{
    DataModelArgument, ExternalArgument, InlineArgument, ProgramArguments, VolatileArgument,
};
use crate::command::Failure;
use foghorn_frontend::{
    Arguments, DataModel, Entry, External, Externals, FrontendError, Input, Options, Translation,
    read_compile_commands, translate,
};
use foghorn_ir::Module;
use foghorn_ir::interpret::{Options as RunOptions, Program, RecordedWorld, Zeros};
use foghorn_transform::InlineOptions;
use std::path::Path;

/// Translates and prepares the program that the arguments name.
pub fn load(arguments: &ProgramArguments, clang: &[String]) -> Result<Translation, Failure> {
    let inputs = inputs(arguments).map_err(Failure::input)?;
    let mut translation = load_with(&inputs, &options(arguments, clang), !arguments.no_promote)
        .map_err(Failure::input)?;
    // A worker has nobody to print to: its report tells them.
    if arguments.warnings && !arguments.isolated {
        for text in &translation.warnings {
            eprintln!("{text}");
        }
    }
    if arguments.quiet {
        foghorn_transform::leave_out_printing(&mut translation.module);
    }
    if let Some(which) = arguments.inline {
        let options = match which {
            InlineArgument::Small => InlineOptions::default(),
            InlineArgument::All => InlineOptions::everything(),
        };
        foghorn_transform::inline(&mut translation.module, &options);
    }
    Ok(translation)
}

/// The files, with a `compile_commands.json` replaced by the sources it lists.
pub fn inputs(arguments: &ProgramArguments) -> Result<Vec<Input>, FrontendError> {
    let mut inputs = vec![];
    for path in &arguments.files {
        if path
            .extension()
            .is_some_and(|extension| extension == "json")
        {
            let commands = read_compile_commands(path)?;
            if commands.all().is_empty() {
                return Err(FrontendError::CompileCommands {
                    path: path.clone(),
                    message: "lists no sources".to_owned(),
                });
            }
            match &arguments.only[..] {
                [] => inputs.extend(commands.all()),
                names => inputs.extend(commands.choose(names)?),
            }
        } else {
            inputs.push(path.clone().into());
        }
    }
    Ok(inputs)
}

/// Translates and prepares one file with default options.
pub fn load_file(path: &Path) -> anyhow::Result<Module> {
    Ok(load_with(&[path.to_owned().into()], &Options::default(), true)?.module)
}

/// The same, with a folder of headers.
pub fn load_file_with(path: &Path, include: &str) -> anyhow::Result<Module> {
    let options = Options {
        clang_args: vec!["-I".to_owned(), include.to_owned()],
        ..Options::default()
    };
    Ok(load_with(&[path.to_owned().into()], &options, true)?.module)
}

fn load_with(
    inputs: &[Input],
    options: &Options,
    promote: bool,
) -> Result<Translation, FrontendError> {
    let mut translation = translate(inputs, options)?;
    foghorn_transform::prepare(&mut translation.module, promote);
    Ok(translation)
}

fn options(arguments: &ProgramArguments, clang: &[String]) -> Options {
    let mut clang_args: Vec<String> = vec![];
    for folder in &arguments.include {
        clang_args.extend(["-I".to_owned(), folder.to_string_lossy().into_owned()]);
    }
    clang_args.extend(arguments.define.iter().map(|define| format!("-D{define}")));
    clang_args.extend(arguments.clang_arg.iter().chain(clang).cloned());
    let mut options = Options {
        data_model: match arguments.data_model {
            DataModelArgument::Ilp32 => DataModel::Ilp32,
            DataModelArgument::Lp64 => DataModel::Lp64,
        },
        entry: match arguments.library {
            true => Entry::Library,
            false => Entry::Function(arguments.entry.clone()),
        },
        arguments: match arguments.with_arguments {
            true => Arguments::Any {
                most: arguments.max_arguments,
            },
            false => Arguments::Given,
        },
        clang_args,
        malloc_may_fail: arguments.malloc_may_fail,
        externals: externals(arguments),
        volatile_input: arguments.volatile == VolatileArgument::Input,
        quiet: arguments.quiet,
        chosen_input: arguments.chosen_input,
        effective_types: arguments.effective_types,
        isolated: arguments.isolated,
        ..Options::default()
    };
    options
        .error_functions
        .extend(arguments.error_function.iter().cloned());
    options
}

/// What functions without a body do.
pub fn externals(arguments: &ProgramArguments) -> Externals {
    let effect = |argument: ExternalArgument| match argument {
        ExternalArgument::Havoc => External::Havoc,
        ExternalArgument::Pure => External::Pure,
        ExternalArgument::Fail => External::Fail,
    };
    let functions = arguments.external_function.iter();
    Externals {
        otherwise: effect(arguments.external.unwrap_or_default()),
        functions: functions
            .map(|(name, argument)| (name.clone(), effect(*argument)))
            .collect(),
    }
}

/// Brings a program into the pure form, by the most precise regions.
pub fn purify(module: &mut Module) -> foghorn_dsa::Analysis {
    foghorn_dsa::memory_ssa::plan::purify(module, &foghorn_dsa::Options::default())
}

/// What an interpreted program did, for comparisons.
pub struct Interpreted {
    pub stdout: Vec<u8>,
    pub steps: u64,
}

/// Runs a program in memory, with all undetermined values zero.
pub fn interpret_quietly(module: &Module) -> anyhow::Result<Interpreted> {
    let mut world = RecordedWorld::default();
    let run = Program::new(module).run(&RunOptions::default(), &mut Zeros, &mut world)?;
    Ok(Interpreted {
        stdout: world.output,
        steps: run.steps,
    })
}
